# SPDX-License-Identifier: GPL-2.0
# svcrdma-lag --check: every file against the contract.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my ($status, $out, $err) = Reader->run({ tree => Tree->new('busy') }, '--check');

is $status, 0, 'a good tree: the status';
is $err, '', 'nothing to complain about';
is $out, <<'END', 'a line a file';
stats is good: 87 values in 1 row
hooks is good: 45 values in 5 rows
percpu is good: 20 values in 2 rows
windows is good: 46 values in 2 rows
wait is good: 545 values in 109 rows
summary is good
END

is +(Reader->run({ tree => Tree->new($_) }, '--check'))[0], 0, "$_ is good too"
	for qw(zero behind draining missing_hook silent_hook not_armed release_list synchronous);

($status, $out) = Reader->run({ tree => Tree->new('truncated') }, '--check');
is $status, 1, 'cut short: the status';
like $out, qr/^$_ ends in the middle of a line$/m, "$_" for qw(stats hooks percpu windows wait);

($status, $out) = Reader->run({ tree => Tree->new('garbage') }, '--check');
is $status, 1, 'garbage: the status';
is scalar(() = $out =~ /does not begin with/g), 6, 'all six files';

($status, $out) = Reader->run({ tree => Tree->new('damaged') }, '--check');
is $status, 1, 'damaged: the status';
like $out, qr/^stats is damaged in line 8\nhooks is damaged in line 3\npercpu is good/, 'the lines';

($status, $out) = Reader->run({ tree => Tree->new('newer') }, '--check');
is $status, 1, 'newer: the status';

# A name fewer, a name more, a row more.
my $tree = Tree->new('busy');

$tree->change(stats => sub { s/^depth_peak .*\n//m });
($status, $out) = Reader->run({ tree => $tree }, '--check');
is $status, 1, 'a name is missing: the status';
like $out, qr/^stats lacks 1 names, among them depth_peak$/m, 'the name';

$tree = Tree->new('busy');
$tree->change(stats => sub { $_ .= "depth_of_tomorrow 5\n" },
	windows => sub { s/(state *\n)/new $1/; s/(keeping-up *\n)/7 $1/g },
	percpu => sub { $_ .= "   2  1 2 3 4 - 5 6 7 8\n" x 4000 });
($status, $out) = Reader->run({ tree => $tree }, '--check');
is $status, 0, 'names that are not known here do no harm';
like $out, qr/^percpu is good: 40020 values in 4002 rows$/m, 'thousands of CPUs';

$tree->change(wait => sub { s/^wait +\K1023 /1024 /m or die });
($status, $out) = Reader->run({ tree => $tree }, '--check');
is $status, 1, 'a bound that is none: the status';
like $out, qr/^wait is damaged in row 2$/m, 'the row';

unlink $tree->file('windows');
($status, $out, $err) = Reader->run({ tree => $tree }, '--check');
is $status, 3, 'a file is missing: the status';
like $err, qr/has no file windows/, 'the sentence';
is +(Reader->run({ tree => Tree->new }, '--check'))[0], 3, 'not loaded';

done_testing;
