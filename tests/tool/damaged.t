# SPDX-License-Identifier: GPL-2.0
# Files that are cut short, damaged, of another version, or nothing of the kind.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my ($status, $out, $err) = Reader->run({ tree => Tree->new('newer') }, 1, 1);

is $status, 1, 'a newer version: the status';
is $out, '', 'no data';
is $err, "svcrdma-lag: stats is of version 2, and this svcrdma-lag understands 1: "
	. "take the svcrdma-lag that came with the loaded module\n", 'the sentence';

($status, $out, $err) = Reader->run({ tree => Tree->new('garbage') }, 1, 1);
is $status, 1, 'garbage: the status';
is $out, '', 'no data';
is $err, qq{svcrdma-lag: stats does not begin with "# svcrdma_lag stats v1"\n}, 'the sentence';

($status, $out, $err) = Reader->run({ tree => Tree->new('truncated') }, 1, 1);
is $status, 0, 'cut short: it reads what there is';
like $out, qr/ 423,079     423,079    423,079         -  1\.00           3       -       -       -       -  unknown: stats does not give /,
	'what it read, and why it knows no more';
like $err, qr/^svcrdma-lag: stats ends in the middle of a line/m, 'the cut is said';
like $err, qr/^svcrdma-lag: stats does not give depth_peak and others$/m, 'what is missing is said';

($status, $out, $err) = Reader->run({ tree => Tree->new('damaged') }, 1, 1);
is $status, 0, 'damaged values: it reads the others';
like $out, qr/  unknown: stats does not give wc_send_total/, 'and judges nothing';
like $err, qr/stats is damaged in line 8 and others/, 'the damage is said';
unlike "$out$err", qr/\e/, 'nothing from a file steers the terminal';

# A file that is empty, too long, no file, or gives no time.
my $tree = Tree->new('busy');

$tree->spew('stats', '');
($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);
is "$status $err", "1 svcrdma-lag: stats is empty\n", 'empty';

$tree->spew('stats', "# svcrdma_lag stats v1\n" . "depth 1\n" x 10000);
($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);
is $status, 1, 'too long: the status';
like $err, qr/is longer than 32768 bytes: that is no file of svcrdma_lag$/, 'the sentence';

$tree->spew('stats', "# svcrdma_lag stats v1\ndepth 1\n");
($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);
is "$status $err", "1 svcrdma-lag: stats is damaged: it does not give its time_ns\n", 'no time';

unlink $tree->file('stats');
mkdir $tree->file('stats');
($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);
is $status, 1, 'a directory: the status';
like $err, qr/cannot be read: Is a directory$/, 'the sentence';

# Every length that a file can be cut to: never a crash, never a wrong number.
$tree = Tree->new('busy');
my $whole = $tree->slurp('stats');
my $wrong = 0;

for my $n (map { 37 * $_ } 0 .. length($whole) / 37) {
	$tree->spew('stats', substr $whole, 0, $n);
	($status, $out) = Reader->run({ tree => $tree }, 1, 1);
	my $row = row((split /\n/, $out)[2]);

	$wrong++ if $status !~ /^[013]$/;
	$wrong++ if $out ne '' && grep { !/^(423,079|-)$/ } @$row{qw(queued released get)};
}
is $wrong, 0, 'cut anywhere';

# It breaks off in mid-run.
$tree = Tree->new('busy');
my $reader = Reader->start({ tree => $tree }, 0.1);

$reader->next_row;
$tree->load('newer');
1 while defined $reader->line;
is $reader->finish, 1, 'another version in mid-run: the status';
like $reader->said, qr/^svcrdma-lag: stats is of version 2,/, 'the sentence';

done_testing;
