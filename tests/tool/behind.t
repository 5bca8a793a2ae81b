# SPDX-License-Identifier: GPL-2.0
# The field's own failure, from keeping up to behind, draining and back; and a
# queue of which nothing is released any more.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $tree = Tree->new('busy');
my $reader = Reader->start({ tree => $tree }, 0.1);
my $depth = 3;

$reader->next_row;

# So much in, so much out, in so many seconds; the state of that window.
sub window
{
	my ($seconds, $in, $out, $wait_ns) = @_;

	$depth += $in - $out;
	$tree->advance($seconds, get_total => "+$in", wc_send_total => "+$in",
		released_total => "+$out", depth => $depth, depth_low => $depth,
		depth_high => $depth, curve_wait_ns => $wait_ns);
	return row($reader->next_row);
}

is window(1, 425098, 425098, 11000)->{state}, 'keeping-up', 'keeping up';

my $row = window(5, 2125490, 1715060, 1_196_540_114);

is $row->{state}, 'behind: +82,086/s', 'behind, and how fast it grows';
is $row->{queued}, '425,098', 'queued';
is $row->{released}, '343,012', 'released';
is $row->{ratio}, '1.24', 'the ratio';
is $row->{depth}, '410,433', 'depth';
is $row->{wait}, '1.2s', 'wait';

is window(1, 425098, 425098, 1_200_000_000)->{state}, 'behind: +0/s',
	'a backlog that stays is still behind';
is window(1, 112, 102608, 1_000_000_000)->{state}, 'draining: empty in 3 s', 'draining';
is window(1, 0, 300000, 500_000_000)->{state}, 'draining: empty in less than 1 s', 'almost gone';
is window(1, 10, $depth + 10, 0)->{state}, 'draining: empty', 'gone';
is window(1, 10, 10, 0)->{state}, 'keeping-up', 'keeping up again';

is window(1, 50, 0, 900_000_000)->{state}, 'keeping-up',
	'items that came within the window have not waited all through it';
$row = window(1, 5, 0, 1_900_000_000);
is $row->{state}, 'stalled: 55 wait, none was released', 'stalled';
is $row->{ratio}, '-', 'no ratio';
is window(1, 0, 55, 0)->{state}, 'keeping-up', 'let go: so few are no backlog to drain';
is window(1, 0, 0, 0)->{state}, 'idle', 'idle';
is $reader->stop, 0, 'a good end';
is $reader->said, '', 'nothing to complain about: it all adds up';

my ($status, $out) = Reader->run({ tree => Tree->new('behind') }, 5, 1);

like $out, qr/   410,432    1\.2s   8\.2us    27us  >=1\.3s  behind \(rates since the arming\)$/,
	'the first report has the state of the module';

# The judge goes on from there: 70 items are too few to call them a backlog, but
# not where the module has just said so.
$tree = Tree->new('draining');
$reader = Reader->start({ tree => $tree }, '-y', 0.1);
$reader->line;
$tree->advance(5, released_total => '+1760020', depth => 970984);
is row($reader->next_row)->{state}, 'draining: empty in 2 s', 'draining from the first window on';
is $reader->stop, 0, 'a good end';

done_testing;
