# SPDX-License-Identifier: GPL-2.0
# The command line.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $tree = Tree->new('busy');
my ($status, $out, $err) = Reader->run({}, '--help');

is $status, 0, '--help';
is $err, '', 'nothing on stderr';
like $out, qr/^usage: svcrdma-lag \[options\] \[interval \[count\]\]\n/, 'the usage';
like $out, qr/\Q$_\E/, "it names $_"
	for 'layout [FILE [BASE]]', qw(-y --skip-first --check --root SVCRDMA_LAG_ROOT -V --version -h --help),
	'Exit status: 0 ok, 1 failure, 2 usage, 3';
is +(sort { $b <=> $a } map { length } split /\n/, $out)[0] <= 80, 1, 'it fits 80 columns';
is +(Reader->run({}, '-h'))[1], $out, '-h';

($status, $out, $err) = Reader->run({}, '--version');
is "$status $out", "0 svcrdma-lag 1.0.0\n", '--version';
is +(Reader->run({}, '-V'))[1], $out, '-V';

my %wrong = (
	'0' => 'interval "0" is not a number of seconds from 0.1 to 86400',
	'0.05' => 'interval "0.05" is not a number of seconds from 0.1 to 86400',
	'86401' => 'interval "86401" is not a number of seconds from 0.1 to 86400',
	'5s' => 'interval "5s" is not a number of seconds from 0.1 to 86400',
	'1,5' => 'interval "1,5" is not a number of seconds from 0.1 to 86400',
	'1 0' => 'count "0" is not a whole number from 1 to 1000000000',
	'1 two' => 'count "two" is not a whole number from 1 to 1000000000',
	'1 1.5' => 'count "1.5" is not a whole number from 1 to 1000000000',
	'1 2 3' => '"3" is one argument too many',
	'layout a b c' => '"c" is one argument too many',
	'--check 1' => '--check takes no interval',
);

for my $line (sort keys %wrong) {
	($status, $out, $err) = Reader->run({ tree => $tree }, split ' ', $line);
	is $status, 2, "$line: the status";
	is $out, '', "$line: no data";
	is $err, "svcrdma-lag: $wrong{$line}\nsvcrdma-lag: see svcrdma-lag --help\n",
		"$line: the sentence";
}

for my $option (qw(-x --nonsense --root)) {
	($status, $out, $err) = Reader->run({}, $option);
	is $status, 2, "$option: the status";
	like $err, qr/\nsvcrdma-lag: see svcrdma-lag --help\n\z/, "$option: where to look";
}

# In a locale with a decimal comma, seconds still have a point.
($status) = Reader->run({ tree => $tree, env => { LC_ALL => 'de_DE.UTF-8' } }, '0.1', 2);
is $status, 0, 'the locale plays no part';

done_testing;
