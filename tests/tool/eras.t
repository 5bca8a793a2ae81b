# SPDX-License-Identifier: GPL-2.0
# Kernels without a workqueue for releases.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my ($status, $out, $err) = Reader->run({ tree => Tree->new('synchronous') }, 1, 1);

is $status, 0, 'synchronous: the status';
is $err, '', 'nothing to complain about';
is $out, <<'END', 'no depth and no wait, and the head says why';
svcrdma_lag 1.0.0, synchronous era (release is not deferred: no depth, no wait), hooks 2 of 2 ok (ftrace), armed 2 h 14 min
    time   queued/s  released/s      get/s  capped/s   q/r       depth    wait  state
18:13:26    423,079     423,079    423,079         -  1.00           -       -  keeping-up (rates since the arming)
END

my $tree = Tree->new('synchronous');
my $reader = Reader->start({ tree => $tree }, 0.1);

$reader->next_row;
$tree->advance(1, get_total => '+100', wc_send_total => '+100', released_total => '+150');
is $reader->next_row,
	'18:13:27        100         150        100         -  0.67           -       -  keeping-up',
	'a window';
$tree->advance(1);
is row($reader->next_row)->{state}, 'idle', 'idle';
is $reader->stop, 0, 'a good end';
is $reader->said, '', 'an error put is no violation where nothing is queued';

$tree = Tree->new('release_list');
$reader = Reader->start({ tree => $tree }, 0.1);
like $reader->line, qr/^svcrdma_lag 1.0.0, release list era, hooks 2 of 2 ok \(kprobe\), /,
	'release list: the head';
like $reader->next_row, qr/         >=3  >=11us  keeping-up/,
	'lower bounds, where the queue cannot be seen empty';
$tree->advance(1, get_total => '+28000', wc_send_total => '+28000', depth => 28003);
like $reader->next_row, qr/  stalled: 28,003 wait for a reply to drain the release list$/,
	'who will let them go';
is $reader->stop, 0, 'a good end';
is $reader->said, "svcrdma-lag: what was queued before the hooks were armed is not known: "
	. "depth and wait are the least they can be\n", 'the bounds are explained once';

done_testing;
