# SPDX-License-Identifier: GPL-2.0
# Two readings that cannot be compared give a reset, and never a number.
use strict;
use warnings;
use Test::More;
use Reader;
use Tree;

my $tree = Tree->new('busy');
my $reader = Reader->start({ tree => $tree }, 0.1);

sub is_reset
{
	my ($why, $name) = @_;
	my $row = row($reader->next_row);

	is $row->{state}, "reset: $why", $name;
	is join(' ', @$row{qw(queued released get capped ratio)}), '- - - - -', "$name: no number";
}

$reader->next_row;
$tree->advance(1, load_id => '0123456789abcdef', wc_send_total => 5, released_total => 5,
	get_total => 5, samples_total => 1);
is_reset('svcrdma_lag was loaded anew', 'another load');

$tree->advance(1, wc_send_total => '+10', released_total => '+10', get_total => '+10');
is row($reader->next_row)->{queued}, '10', 'and from there on it counts';

$tree->advance(1, arm_generation => 2, armed_ns => 8043130004417);
is_reset('the hooks were armed anew', 'another arming');

$tree->advance(1, wc_send_total => 3);
is_reset('wc_send_total fell', 'a counter that fell');
$tree->advance(1, get_total => 3);
is_reset('get_total fell', 'another that fell');
$tree->advance(-5);
is_reset('time_ns fell', 'time that fell');
$tree->advance(1, samples_late_total => 7);
unlike $reader->next_row, qr/reset/, 'a counter that rose is none';

# The target goes away and comes back.
$tree->load('not_armed');
like $reader->next_row, qr/  not armed: waiting for rpcrdma$/, 'the target is gone';
$tree->load('busy');
is_reset('the hooks were armed anew', 'it is back');
is $reader->stop, 0, 'a good end';
is scalar(() = $reader->said =~ /nothing is armed/g), 1, 'that was said once';

# After each reset what is armed may be another thing: the head comes again.
$tree = Tree->new('busy');
$reader = Reader->start({ tree => $tree }, 0.1);
$reader->next_row;
$tree->load('release_list');
$tree->advance(1, arm_generation => 2);
my $head;

do { $head = $reader->line } until $head =~ /^svcrdma_lag /;
like $head, qr/^svcrdma_lag 1.0.0, release list era, hooks 2 of 2 ok \(kprobe\)/,
	'a new head after a reset';
like $reader->line, qr/^ +time +queued/, 'and the columns';
is_reset('the hooks were armed anew', 'then the reset');

done_testing;
