# SPDX-License-Identifier: GPL-2.0
# The module is there and the target is not.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $tree = Tree->new('not_armed');
my ($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);

is $status, 3, 'a script sees it by the exit status';
is $err, "svcrdma-lag: nothing is armed: rpcrdma is not loaded, or has none of the functions "
	. "known to svcrdma_lag\n", 'and a person by a sentence';
is $out, <<'END', 'and by the row';
svcrdma_lag 1.0.0, not armed
    time   queued/s  released/s      get/s  capped/s   q/r       depth    wait     p50     p99     max  state
16:00:24          -           -          -         -     -           -       -       -       -       -  not armed: waiting for rpcrdma
END

# An administrator starts it first, and the target later.
my $reader = Reader->start({ tree => $tree }, 0.1);

$reader->next_row;
$tree->advance(1);
like $reader->next_row, qr/  not armed: waiting for rpcrdma$/, 'it goes on and waits';
$tree->load('zero');
like $reader->next_row, qr/  reset: (svcrdma_lag|the hooks)/, 'the target has come';
$tree->advance(1, get_total => '+5', wc_send_total => '+5', released_total => '+5');
is row($reader->next_row)->{queued}, 5, 'and is counted';
is $reader->stop, 0, 'a good end';

# What counts is the last report. Three seconds are time enough to change the tree.
$reader = Reader->start({ tree => $tree }, 3, 2);
$reader->next_row;
$tree->load('not_armed');
1 while defined $reader->line;
is $reader->finish, 3, 'gone at the last report';

$reader = Reader->start({ tree => $tree }, 0.1);
$reader->next_row;
is $reader->stop, 0, 'a signal is a good end even so';

done_testing;
