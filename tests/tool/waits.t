# SPDX-License-Identifier: GPL-2.0
# How long items waited: percentiles of each window, and what they can be trusted.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $tree = Tree->new('busy');
my $reader = Reader->start({ tree => $tree }, 0.1);

# p50, p99 and max of the next window.
sub waits
{
	my ($row) = row($reader->next_row);

	return "$row->{p50} $row->{p99} $row->{max}";
}

is waits(), '7.7us 20us >=40ms', 'since the arming';

# 990 took 8 us, 10 took 1 ms; the oldest that waits is younger.
$tree->advance(1, waits => [[wait => 8191, 990, 0, 1], [wait => 1048575, 10, 0, 0]]);
is waits(), '8.2us 8.2us 1.0ms', 'those that left in the window, and no others';
$tree->advance(1, waits => [[wait => 8191, 980, 0, 0], [wait => 1048575, 20, 0, 0]]);
is waits(), '8.2us 1.0ms 1.0ms', 'the next window begins at nothing';
$tree->advance(1, waits => [[wait => 8191, 980, 20, 0]]);
is waits(), '8.2us >=7.9us >=9.2us', 'of those lost it is known that they took no less';
$tree->advance(1, oldest_age_ns => 6012000000, waits => [[wait => 8191, 1000, 0, 0]]);
is waits(), '8.2us 8.2us >=6.0s', 'the oldest still waits';
$tree->advance(1);
is waits(), '- - >=6.0s', 'none left';
$tree->advance(1, oldest_age_ns => 0,
	waits => [[service => 8191, 5, 0, 0], [write_info_wait => 8191, 7, 0, 0]]);
is waits(), '- - -', 'other times are no waits of send contexts';
is $reader->said, '', 'nothing to complain about';

# Half a row, a bound that is none, a count that fell: not a number is taken from it.
my $whole = $tree->slurp('wait');

sub spoil
{
	my ($change) = @_;

	$tree->change(wait => $change);
	$tree->advance(1, waits => [[wait => 8191, 10, 0, 0]]);
	my $first = waits();

	$tree->change(wait => sub { $_ = $whole });
	$tree->advance(1);
	waits();
	$tree->advance(1, waits => [[wait => 8191, 10, 0, 0]]);
	my $last = waits();

	$whole = $tree->slurp('wait');
	return "$first, then $last";
}

my $nothing_then = '- - -, then 8.2us 8.2us 8.2us';

is spoil(sub { s/^wait +1023 .*\K/ x/m; s/^wait +1087 +\K\d+/-5/m }), $nothing_then, 'no number';
is spoil(sub { s/^wait +\K1023 /1024 /m or die }), $nothing_then, 'no bound';
is spoil(sub { s/^wait +1023 +\K\d+/1/m or die }), $nothing_then, 'a count that fell';
is $reader->stop, 0, 'a good end';
is $reader->said, <<'END', 'each is said';
svcrdma-lag: wait is damaged in line 5: no percentiles
svcrdma-lag: wait is damaged in row 2: no percentiles
svcrdma-lag: a count in wait fell: no percentiles
END

# A tree that an older module left has no such file.
$tree = Tree->new('busy');
unlink $tree->file('wait');
my ($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);

is $status, 0, 'no file wait: the status';
is $err, '', 'nothing to complain about';
like $out, qr/           3    11us       -       -       -  keeping-up/, 'and nothing known';

# Wherever it is cut but at a line's end, which nothing shows.
my ($wrong, $cut) = (0, 0);
my $text = Tree->new('busy')->slurp('wait');

for my $n (map { 97 * $_ } 0 .. length($text) / 97) {
	my $part = substr $text, 0, $n;

	next if $part =~ /\n\z/;
	$tree->spew('wait', $part);
	($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);
	$wrong++ if $status != 0 || $out !~ /    11us       -       -       -  keeping-up/;
	$cut++ if $err =~ /^svcrdma-lag: wait [^\n]*: no percentiles\n\z/;
}
is $wrong, 0, 'cut anywhere';
cmp_ok $cut, '>', length($text) / 100, 'and said';

# The in-flight table's books.
$tree = Tree->new('busy');
$reader = Reader->start({ tree => $tree }, 0.1);
$reader->next_row;
$tree->advance(1, get_total => '+1000', wc_send_total => '+1000', released_total => '+1000',
	track_inserted_total => '+1000', track_matched_total => '+1004');
like $reader->next_row, qr/  keeping-up$/, 'as many left as were inserted or there';
$tree->advance(1, track_inserted_total => '+1000', track_matched_total => '+1000',
	track_expired_total => '+10');
like $reader->next_row, qr/ \(does not add up\)$/, 'more left';
$tree->advance(1, track_live => 7);
like $reader->next_row, qr/ \(does not add up\)$/, 'more are there than can be';
$tree->advance(1, track_live => 4, track_inserted_total => '+25', track_refused_full_total => 25, agree => 'no:order');
unlike $reader->next_row, qr/add up/, 'as many as can be';
$tree->advance(1, track_level_max => 3, track_streams_thinned => 2);
$reader->next_row;
$tree->advance(1);
$reader->next_row;
is $reader->stop, 0, 'a good end';
is $reader->said, <<'END', 'each is said once';
svcrdma-lag: 10 items were not released within the leak age, now 10 s: they leak, or their release was missed
svcrdma-lag: the numbers do not add up: 6 more left the in-flight table than were brought to it in the window or in it at its beginning
svcrdma-lag: the numbers do not add up: what is in the in-flight table differs by 3 from what its counts allow
svcrdma-lag: 25 items found no place in the in-flight table: many leak, or it is too small (track_entries)
svcrdma-lag: some items waited much longer than wait says: the queue is not first in, first out
svcrdma-lag: 2 streams have more items than the in-flight table has room for: a part of them, down to one in 8, is tracked and stands for the rest
END

($status, $out, $err) = Reader->run({ tree => Tree->new('behind') }, 1, 1);
is $err, "svcrdma-lag: 118 streams have more items than the in-flight table has room for: a "
	. "part of them, down to one in 16, is tracked and stands for the rest\n", 'thinned from the start';

done_testing;
