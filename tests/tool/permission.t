# SPDX-License-Identifier: GPL-2.0
# Who is not root may not look into debugfs.
use strict;
use warnings;
use POSIX ();
use Test::More;
use Reader;
use Tree;

plan skip_all => 'root is needed to be somebody else' if $>;

my $nobody = sub {
	POSIX::setgid(65534);
	POSIX::setuid(65534);
};
my $tree = Tree->new('busy');
my $root = $tree->root;

my ($status, $out, $err) = Reader->run({ tree => $tree, child => $nobody }, 1, 1);
is $status, 0, 'anybody may read what is readable';

# debugfs is 0700.
chmod 0700, $root;
($status, $out, $err) = Reader->run({ tree => $tree, child => $nobody }, 1, 1);
is $status, 1, 'a closed debugfs: the status';
is $out, '', 'no data';
is $err, "svcrdma-lag: $root/svcrdma_lag/stats may not be read: run as root\n", 'the sentence';

chmod 0755, $root;
chmod 0400, $tree->file('stats');
($status, $out, $err) = Reader->run({ tree => $tree, child => $nobody }, 1, 1);
is $status, 1, 'a closed file: the status';
is $err, "svcrdma-lag: $root/svcrdma_lag/stats may not be read: run as root\n", 'the sentence';

($status, $out, $err) = Reader->run({ tree => $tree, child => $nobody }, '--check');
is $status, 1, '--check: the status';
is $err, "svcrdma-lag: $root/svcrdma_lag/stats may not be read: run as root\n", 'the sentence';

done_testing;
