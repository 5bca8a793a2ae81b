# SPDX-License-Identifier: GPL-2.0
# A server that keeps up: the head, the columns, the rates, the ratio.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $tree = Tree->new('busy');
my ($status, $out, $err) = Reader->run({ tree => $tree }, 5, 1);

is $status, 0, 'a single report';
is $err, '', 'nothing to complain about';
is $out, <<'END', 'the head, the columns, the report since the arming';
svcrdma_lag 1.0.0, workqueue era, hooks 2 of 2 ok (ftrace), armed 2 h 14 min
    time   queued/s  released/s      get/s  capped/s   q/r       depth    wait     p50     p99     max  state
18:13:26    423,079     423,079    423,079         -  1.00           3    11us   7.7us    20us  >=40ms  keeping-up (rates since the arming)
END

my $reader = Reader->start({ tree => $tree }, '-y', 0.1, 1000000);

like $reader->line, qr/^svcrdma_lag 1.0.0, /, '-y leaves out the report since the arming';
like $reader->line, qr/^ +time +queued/, 'and neither the head nor the columns';
$tree->advance(5, get_total => '+2125000', wc_send_total => '+2124950',
	released_total => '+2124953', depth => 0, depth_low => 0, depth_high => 1,
	curve_wait_ns => 0, oldest_age_ns => 0,
	waits => [[wait => 8191, 2000000, 0, 0], [wait => 20479, 24990, 0, 0]]);
is $reader->next_row,
	'18:13:31    424,990     424,991    425,000         -  1.00           0       0   8.2us    20us    20us  keeping-up',
	'rates divide by the time of the kernel, not by ours';

# 2.5 s by the kernel's clock, whatever passed here.
$tree->advance(2.5, get_total => '+10', wc_send_total => '+8', released_total => '+6',
	depth => 2, depth_low => 2, depth_high => 2, curve_wait_ns => 999500);
is $reader->next_row,
	'18:13:33          3           2          4         -  1.33           2   1.0ms       -       -       -  keeping-up',
	'small rates are rounded, and the ratio has two decimals';

$tree->advance(1, wc_send_total => '+7', get_total => '+7', capped_total => 0,
	depth => 9, depth_low => 9, depth_high => 9);
is row($reader->next_row)->{ratio}, '-', 'no ratio where nothing was released';
$tree->advance(1, released_total => '+9', capped_total => '+1200', depth => 0, depth_low => 0,
	depth_high => 0);
is row($reader->next_row)->{capped}, '1,200', 'the capped tracepoint, where there is one';

is $reader->stop, 0, 'SIGTERM is a good end';
is $reader->said, '', 'still nothing to complain about';

done_testing;
