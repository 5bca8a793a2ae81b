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
    time   queued/s  released/s      get/s  capped/s   q/r       depth    wait     p50     p99     max  state
18:13:26    423,079     423,079    423,079         -  1.00           -       -       -       -       -  keeping-up, 155 live (rates since the arming)
END

my $tree = Tree->new('synchronous');
my $reader = Reader->start({ tree => $tree }, 0.1);

$reader->next_row;
$tree->advance(1, get_total => '+100', wc_send_total => '+100', released_total => '+150',
	live_ctxts => 105);
is $reader->next_row,
	'18:13:27        100         150        100         -  0.67           -       -       -       -       -  keeping-up, 105 live',
	'a window';
$tree->advance(1, live_settled => 'no');
is row($reader->next_row)->{state}, 'idle, at least 105 live', 'idle, and not all is known';
$tree->advance(1, live_ctxts => 0);
is row($reader->next_row)->{state}, 'idle', 'that there are at least none is not said';
$tree->advance(1, live_ctxts => '-', live_settled => '-');
is row($reader->next_row)->{state}, 'idle', 'nor what is not known';
is $reader->stop, 0, 'a good end';
is $reader->said, '', 'an error put is no violation where nothing is queued';

$tree = Tree->new('release_list');
$reader = Reader->start({ tree => $tree }, 0.1);
like $reader->line, qr/^svcrdma_lag 1.0.0, release list era, hooks 2 of 2 ok \(kprobe\), /,
	'release list: the head';
like $reader->next_row, qr/         >=3  >=11us   9\.2us    37us >=1\.2ms  keeping-up, 539\.06 a drain \(rates since the arming\)$/,
	'lower bounds, where the queue cannot be seen empty';
$tree->advance(1, get_total => '+3000', wc_send_total => '+3000', released_total => '+3000',
	drain_total => '+2900', drain_batch_total => '+2000');
like $reader->next_row, qr/         >=3  >=11us       -       -  >=12us  keeping-up, 1\.50 a drain$/, 'how much a drain releases';
$tree->advance(1, get_total => '+28000', wc_send_total => '+28000', depth => 28003, depth_high => 28003);
like $reader->next_row, qr/  stalled: 28,003 wait for a reply to drain the release list$/,
	'who will let them go';
$tree->advance(1, get_total => '+1', wc_send_total => '+1', released_total => '+28004', depth => 0,
	curve_wait_ns => 0, oldest_age_ns => 0);
like $reader->next_row, qr/ 28,004 .*  0\.00           -       -       -       -       -  /,
	'that there are at least none, for at least no time, is not said';
is $reader->stop, 0, 'a good end';
is $reader->said, "svcrdma-lag: what was queued before the hooks were armed is not known: "
	. "depth and wait are the least they can be\n", 'the bounds are explained once';

done_testing;
