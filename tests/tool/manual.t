# SPDX-License-Identifier: GPL-2.0
# The manual page: well formed, and of one mind with the program.
use strict;
use warnings;
use Test::More;
use Reader;

my $page = '../../tools/svcrdma-lag.8';
my $text = `mandoc -Tascii $page`;

$text =~ s/.\x08//g;

is `mandoc -Tlint -Wwarning $page 2>&1`, '', 'mandoc has nothing to warn of';
like $text, qr/^SVCRDMA-LAG\(8\)/, 'it is a page of section 8';
like $text, qr/^$_$/m, "it has $_"
	for 'NAME', 'SYNOPSIS', 'DESCRIPTION', 'LAYOUT', 'FIELDS', 'HISTOGRAMS', 'STATES', 'EXIT STATUS', 'FILES', 'EXAMPLES',
		'SEE ALSO';

my ($status, $usage) = Reader->run({}, '--help');
like $text, qr/(?<![\w-])\Q$_\E(?![\w-])/, "it explains $_"
	for $usage =~ /(?<![\w-])(-{1,2}[A-Za-z][\w-]*)/g;

# The words of the state and the numbers of its rules come from the headers.
open my $abi, '<', '../../include/svcrdma_lag/abi.h' or die;
my ($states) = join('', <$abi>) =~ /#define SVLAG_STATES\(X\)(.*?)\n\n/s;
like $text, qr/^ +\Q$_\E +[A-Z]/m, "it explains $_" for $states =~ /"([^"]+)"/g;

open my $rules, '<', '../../include/svcrdma_lag/state.h' or die;
my %rule = join('', <$rules>) =~ /#define (SVLAG_[A-Z_]+)\s+(\d+)/g;
$text =~ s/\s+/ /g;
like $text, qr/at least $rule{SVLAG_BACKLOG_ITEMS} that is also at least what is released in $rule{SVLAG_BACKLOG_MS} ms/,
	'the backlog of the rules';
like $text, qr/one part in $rule{SVLAG_DRAIN_PART},/, 'the part of the rules';

done_testing;
