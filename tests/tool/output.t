# SPDX-License-Identifier: GPL-2.0
# Where the lines go: pipes that break or fill, disks that are full, terminals.
use strict;
use warnings;
use Test::More;
use Reader;
use Terminal;
use Tree;

my $tree = Tree->new('busy');
my $reader = Reader->start({ tree => $tree }, 0.1);

# Line by line: nothing is held back until a buffer is full.
like $reader->next_row, qr/keeping-up/, 'a line comes when it is due';
close $reader->{out};
is $reader->finish, 0, 'whose reader has gone ends well';
is $reader->said, '', 'and quietly';

my ($status, $out, $err) = Reader->run({ tree => $tree, stdout => '/dev/full' }, 0.1, 3);

is $status, 1, 'a full disk: the status';
is $err, "svcrdma-lag: cannot write to standard output: No space left on device\n", 'the sentence';

for my $argument (qw(--help --version --check)) {
	($status, $out, $err) = Reader->run({ tree => $tree, stdout => '/dev/full' }, $argument);
	is $status, 1, "$argument on a full disk: the status";
	like $err, qr/^svcrdma-lag: cannot write to standard output: No space left on device\n\z/,
		'the sentence';
}

($status, $out, $err) = Reader->run({ tree => $tree, child => sub { POSIX::close(1) } }, 0.1, 3);
is $status, 1, 'no standard output: the status';
like $err, qr/^svcrdma-lag: cannot write to standard output: /, 'the sentence';

# A pipe that nobody reads fills up, here with a line or a page; a signal still ends it.
use constant { F_SETPIPE_SZ => 1031, FIONREAD => 0x541b };
$reader = Reader->start({ tree => $tree, child => sub { fcntl STDOUT, F_SETPIPE_SZ, 4096 } }, 0.1);
my ($before, $there) = (-1, 0);

while ($there == 0 || $there != $before) {
	$before = $there;
	select undef, undef, undef, 1;
	my $size = pack 'i', 0;
	ioctl $reader->{out}, FIONREAD, $size or die "ioctl: $!";
	$there = unpack 'i', $size;
}
cmp_ok $there, '<=', 4096, 'the pipe is full';
is $reader->stop, 0, 'and yet SIGTERM ends it';

# Without a terminal the names of the columns come again every 20 lines.
$reader = Reader->start({ tree => $tree }, 0.1, 45);
my @names;

for my $n (0 .. 1000) {
	my $line = $reader->line // last;
	push @names, $n if $line =~ /^ +time /;
}
is "@names", '1 21 41', 'the names of the columns come again';
is $reader->finish, 0, 'after 45 reports it ends';

# On a terminal they come again when they have scrolled away.
SKIP: {
	my $terminal = Terminal->new(10, 200) or skip 'no terminals here', 2;

	$reader = Reader->start({ tree => $tree, stdout => $terminal->name }, 0.1, 25);
	my @lines = $terminal->lines_until(qr/stood still\r?\n/, 24);

	is $reader->finish, 0, 'on a terminal';
	is join(' ', grep { $lines[$_] =~ /^ +time / } 0 .. $#lines), '1 10 19 28',
		'the names of the columns come again with each screenful';
}

done_testing;
