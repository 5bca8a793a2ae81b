# SPDX-License-Identifier: GPL-2.0
# Armed, and nothing has ever happened: zeros are zeros, and not unknown.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $tree = Tree->new('zero');
my $reader = Reader->start({ tree => $tree }, 0.1);

like $reader->line, qr/, armed 10 s$/, 'the age of the arming';
$reader->line;
is $reader->line,
	'16:51:33          0           0          0         -     -           0       0       -       -       -  idle (rates since the arming)',
	'the report since the arming';
$tree->advance(1);
is $reader->next_row,
	'16:51:34          0           0          0         -     -           0       0       -       -       -  idle',
	'a window';

# The first item ever comes and goes.
$tree->advance(1, get_total => '+1', wc_send_total => '+1', released_total => '+1');
is row($reader->next_row)->{state}, 'keeping-up', 'one item is enough to keep up with';
$tree->advance(1);
is row($reader->next_row)->{state}, 'idle', 'and idle again';
is $reader->stop, 0, 'a good end';
is $reader->said, '', 'nothing to complain about';

done_testing;
