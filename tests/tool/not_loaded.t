# SPDX-License-Identifier: GPL-2.0
# No module, no debugfs, no tree; and a module that goes away meanwhile.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $hint = 'insmod svcrdma_lag.ko, or modprobe svcrdma_lag';
my $tree = Tree->new;
my ($status, $out, $err) = Reader->run({ tree => $tree });

is $status, 3, 'not loaded: the status';
is $out, '', 'no data';
is $err, "svcrdma-lag: svcrdma_lag is not loaded: $hint\n", 'the sentence';

($status, $out, $err) = Reader->run({}, '--root', '/nowhere/at/all');
is $status, 1, 'no such tree: the status';
is $err, "svcrdma-lag: there is no directory /nowhere/at/all\n", 'the sentence';

($status, $out, $err) = Reader->run({ env => { SVCRDMA_LAG_ROOT => '/nowhere/else' } });
is $err, "svcrdma-lag: there is no directory /nowhere/else\n", 'SVCRDMA_LAG_ROOT';
($status) = Reader->run({ env => { SVCRDMA_LAG_ROOT => '/nowhere/else' },
	tree => Tree->new('busy') }, 1, 1);
is $status, 0, '--root wins over it';

$tree = Tree->new('busy');
my $reader = Reader->start({ tree => $tree }, 0.1);

$reader->next_row;
$tree->unload;
1 while defined $reader->line;
is $reader->finish, 3, 'unloaded in mid-run: the status';
like $reader->said, qr/^svcrdma-lag: svcrdma_lag is not loaded: \Q$hint\E\n\z/, 'the sentence';

# debugfs takes the files away one by one.
$tree = Tree->new('busy');
$reader = Reader->start({ tree => $tree }, 0.1);
$reader->next_row;
unlink $tree->file('hooks');
unlink $tree->file('stats');
1 while defined $reader->line;
is $reader->finish, 3, 'half unloaded: the status';
like $reader->said, qr/has no file stats: svcrdma_lag is being loaded or unloaded\n\z/,
	'the sentence';

# Without the file hooks there are fewer words and the same numbers.
$tree = Tree->new('busy');
unlink $tree->file('hooks');
($status, $out, $err) = Reader->run({ tree => $tree }, 1, 1);
is $status, 0, 'stats alone will do';
like $out, qr/^svcrdma_lag 1.0.0, workqueue era, hooks 2 of 2 ok, armed/, 'a head without hooks';

SKIP: {
	my $empty = 'mount -t tmpfs none /sys/kernel/debug';
	my $debugfs = 'mount -t debugfs none /sys/kernel/debug';

	skip 'no mount namespaces here', 2
		if system("unshare -m sh -c '$empty' 2>/dev/null");
	my $run = "$ENV{SVLAG_READER} 1 1 2>&1; echo status \$?";
	is `unshare -m sh -c '$empty; $run'`, "svcrdma-lag: debugfs is not mounted: "
		. "mount -t debugfs debugfs /sys/kernel/debug\nstatus 1\n", 'no debugfs';
	skip 'no debugfs here', 1 if system("unshare -m sh -c '$debugfs' 2>/dev/null");
	skip 'svcrdma_lag is loaded here', 1
		if !system("unshare -m sh -c '$debugfs; test -d /sys/kernel/debug/svcrdma_lag'");
	is `unshare -m sh -c '$debugfs; $run'`,
		"svcrdma-lag: svcrdma_lag is not loaded: $hint\nstatus 3\n",
		'debugfs and no module';
}

done_testing;
