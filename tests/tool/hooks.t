# SPDX-License-Identifier: GPL-2.0
# Hooks that are not there, say nothing, or were refused.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my ($status, $out, $err) = Reader->run({ tree => Tree->new('missing_hook') }, 1, 1);

is $status, 0, 'it reads what there is';
is $err, "svcrdma-lag: hook wc_send (svc_rdma_wc_send) is absent; lost without it: "
	. "Send completions: no depth, no wait, no state\n", 'what is lost';
is $out, <<'END', 'what is left';
svcrdma_lag 1.0.0, workqueue era, hooks 1 of 2 ok (ftrace), armed 2 h 14 min
    time   queued/s  released/s      get/s  capped/s   q/r       depth    wait     p50     p99     max  state
18:13:26          -     423,079    423,079         -     -           -       -       -       -       -  unknown: hook svc_rdma_wc_send is absent (rates since the arming)
END

($status, $out, $err) = Reader->run({ tree => Tree->new('silent_hook') }, 1, 1);
like $out, qr/  unknown: hook svc_rdma_wc_send is silent /, 'a silent hook makes no state';
like $err, qr/^svcrdma-lag: hook wc_send \(svc_rdma_wc_send\) is silent; lost/, 'and is said';

# It falls silent, and is heard again.
my $tree = Tree->new('busy');
my $reader = Reader->start({ tree => $tree }, 0.1);

# The verdict of wc_send from now on; the state of the next two windows.
sub verdict
{
	my ($verdict, $ok) = @_;

	$tree->change(hooks => sub {
		s/^wc_send +yes +\K\S+ */sprintf '%-12s', $verdict/me or die;
	}, stats => sub { s/^hooks_ok \K.*/$ok/m });
	$tree->advance(1);
	my $first = row($reader->next_row)->{state};

	$tree->advance(1);
	return [$first, row($reader->next_row)->{state}];
}

$reader->next_row;
my $silent = 'unknown: hook svc_rdma_wc_send is silent';
my $stalled = 'stalled: 3 wait, none was released';

is_deeply verdict('silent', 1), [$silent, $silent], 'silent';
is_deeply verdict('ok', 2)->[1], $stalled, 'heard again';
is_deeply verdict('failed:-16', 1)->[1],
	'unknown: hook svc_rdma_wc_send failed with -16', 'refused';
is $reader->stop, 0, 'a good end';
is scalar(() = $reader->said =~ /is silent;/g), 1, 'silent was said once';
is scalar(() = $reader->said =~ /is failed:-16;/g), 1, 'so was refused';
is scalar(() = $reader->said =~ /\n/g), 2, 'and no more';

# get is not needed: the state stands without it.
$tree = Tree->new('busy');
$tree->change(hooks => sub { s/^(get +no +)ok +/$1failed:-22 /m or die },
	stats => sub { s/^get_total \K.*/-/m });
($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);
like $out, qr/ 423,079     423,079          -  .*keeping-up/,
	'no get, and a state all the same';
like $err, qr/^svcrdma-lag: hook get \(svc_rdma_send_ctxt_get\) is failed:-22; lost without it: demand/,
	'a refusal is said even so';

done_testing;
