# SPDX-License-Identifier: GPL-2.0
# SIGINT and SIGTERM end it at once, between two lines; and the pace of the ticks.
use strict;
use warnings;
use Test::More;
use Time::HiRes qw(time);
use Reader;
use Tree;

my $tree = Tree->new('busy');

for my $signal (qw(INT TERM)) {
	my $reader = Reader->start({ tree => $tree }, 86400);

	$reader->next_row;
	$reader->signal($signal);
	is $reader->line, undef, "SIG$signal: nothing more is written";
	is $reader->finish, 0, "SIG$signal: a good end, and no waiting for the tick";
	is $reader->said, '', "SIG$signal: without a word";
}

# A line that was begun is completed: all that was written are whole lines.
my $reader = Reader->start({ tree => $tree }, 0.1);

$reader->next_row;
$reader->signal('INT');
1 while defined $reader->line;
is $reader->{partial}, '', 'no half a line';
is $reader->finish, 0, 'a good end';

# A shell starts background jobs with SIGINT ignored.
$reader = Reader->start({ tree => $tree, child => sub { $SIG{INT} = 'IGNORE' } }, 0.1);
$reader->next_row;
$reader->signal('INT');
$tree->advance(1);
$reader->next_row;
$tree->advance(1);
ok defined $reader->next_row, 'an ignored SIGINT stays ignored';
is $reader->stop, 0, 'SIGTERM is not';

# Stopped for a while, it makes one window of all of it, and no burst.
$reader = Reader->start({ tree => $tree }, 0.1);
$reader->next_row;
$reader->signal('STOP');
select undef, undef, undef, 1;
$tree->advance(7, wc_send_total => '+7000', get_total => '+7000', released_total => '+7000');
$reader->signal('CONT');
is row($reader->next_row)->{queued}, '1,000', 'a window of 7 s after a stop';
is $reader->stop, 0, 'a good end';

# No tick comes early: 11 reports lie at least 10 intervals apart.
my $began = time;
my ($status, $out) = Reader->run({ tree => $tree }, 0.1, 11);

cmp_ok time - $began, '>=', 1, 'ticks are not early';
is scalar(() = $out =~ /^\d\d:/mg), 11, 'the first report counts as one';
($status, $out) = Reader->run({ tree => $tree }, '-y', 0.1, 3);
is scalar(() = $out =~ /^\d\d:/mg), 3, 'and with -y it is none';

done_testing;
