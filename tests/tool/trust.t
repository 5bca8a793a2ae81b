# SPDX-License-Identifier: GPL-2.0
# Numbers that do not add up, and what makes them doubtful.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $tree = Tree->new('busy');
my $reader = Reader->start({ tree => $tree }, 0.1);

$reader->next_row;

# 1,000 completions, at most 4 that waited, and 1,010 releases: 6 from nowhere.
$tree->advance(1, get_total => '+1000', wc_send_total => '+1000', released_total => '+1010');
like $reader->next_row, qr/  keeping-up \(does not add up\)$/, 'more released than queued';
$tree->advance(1, get_total => '+1000', wc_send_total => '+1000', released_total => '+1010',
	depth_correction => '+6', depth_correction_late => '+6');
like $reader->next_row, qr/  keeping-up$/, 'unless the correction says so';
$tree->advance(1, get_total => '+1000', wc_send_total => '+70000', released_total => '+70000');
like $reader->next_row, qr/up \(does not add up\)$/, 'more completed than got';

$tree->advance(1, missed_total => 250, samples_late_total => 2);
$reader->next_row;
$tree->advance(1, missed_total => 499);
$reader->next_row;
$tree->advance(1, missed_total => 500);
$reader->next_row;
$tree->advance(1, depth_settled => 'no', curve_wait_censored => 'yes');
like $reader->next_row, qr/ >=3  >=11us /, 'lower bounds are marked';
is $reader->stop, 0, 'a good end';
is $reader->said, <<'END', 'each is said, and again when it has doubled';
svcrdma-lag: the numbers do not add up: 6 more were released than were queued in the window or waited at its beginning
svcrdma-lag: 6 contexts were released whose completion was never seen: error paths, or completions that were missed
svcrdma-lag: the numbers do not add up: 3,464 more completed than were got or can have been in flight
svcrdma-lag: the kernel kept 250 hits from the hooks: the counts are too low by that
svcrdma-lag: 2 samples of the module came too late: peaks may have been missed
svcrdma-lag: the kernel kept 500 hits from the hooks: the counts are too low by that
svcrdma-lag: what was queued before the hooks were armed is not known until the queue has been seen empty: depth and wait are the least they can be
END

# A second arming: the counts go back to the first, so they are no rate.
$tree = Tree->new('busy');
$tree->advance(1, arm_generation => 2);
my ($status, $out) = Reader->run({ tree => $tree }, 1, 1);

like $out, qr/          -           -          -         -     -           3    11us       -       -       -  keeping-up \(armed more than once: no rates since then\)$/,
	'no rates since an arming that was not the first';

done_testing;
