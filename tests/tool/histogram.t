# SPDX-License-Identifier: GPL-2.0
# --histogram: distributions of each window, in the terminal that there is.
use strict;
use warnings;
use Test::More;
use Encode qw(decode);
use Reader;
use Terminal;
use Tree;

my $ascii = { LC_ALL => 'C', COLUMNS => 72 };
my $tree = Tree->new('busy');
my ($status, $out, $err) = Reader->run({ tree => $tree, env => $ascii }, '--histogram', 5, 1);

is $status, 0, 'a single report';
is $err, '', 'nothing to complain about';
like $out, qr/^svcrdma_lag 1\.0\.0, workqueue era, .*
18:13:26, since the load: keeping-up
wait of send contexts: 3,401,555,861 released, 6 lost, 3 still wait
     from       to        count #  lost x  waiting \.    within
        0   1\.02us          3,095       0          0     0\.00%  #
   1\.02us   1\.47us /, 'the head, the window, the histogram';
like $out, qr/^  p50 7\.68us  p90 13\.3us  p99 20\.5us  p99\.9 28\.7us  max >=39\.8ms\n\n\z/m, 'the percentiles';
unlike $out, qr/queued\/s/, 'and no table';
is +(sort { $b <=> $a } map { length } grep { /^ / } split /\n/, $out)[0], 72, 'as wide as asked for';

# Each window has its own.
my $reader = Reader->start({ tree => $tree, env => $ascii }, '--histogram', '-y', 0.1, 1000000);

# The next window that is not one in which the tree stood still.
sub window
{
	for (1 .. 1000) {
		my ($text, $line) = '';

		$text .= "$line\n" while defined($line = $reader->line) && $line ne '';
		return $text unless $text =~ /stood still/;
	}
}

like $reader->line, qr/^svcrdma_lag 1\.0\.0, /, 'the head';
$tree->advance(5, get_total => '+1000', wc_send_total => '+1000', released_total => '+1000', oldest_age_ns => 0,
	track_purged_total => '+7', track_inserted_total => '+1007', track_matched_total => '+1000',
	waits => [[wait => 8191, 990, 0, 0], [wait => 4351, 10, 7, 0], [service => 1023, 5, '-', '-'],
		map { [wait => $_, 0, 0, 0] } 1855, 5119, 9215]);
is window(), <<'END', 'what left in the window';
18:13:31, in 5.0s: keeping-up
wait of send contexts: 1,000 released, 7 lost
     from       to  count #  lost x    within
   4.10us   4.86us       10       7     0.99%  #x
   4.86us   6.91us        0       0     0.99%
   6.91us   8.19us      990       0  99.3048%  #########################
  p50 8.19us  p90 8.19us  p99 8.19us  p99.9 >=7.94us  max >=7.94us
work on send contexts: 5 done
     from       to  count #    within
        0   1.02us        5      100%  #################################
  p50 1.02us  p90 1.02us  p99 1.02us  p99.9 1.02us  max 1.02us
END
$tree->advance(1);
is window(), "18:13:32, in 1.0s: stalled: 3 wait, none was released\nnothing was timed, and nothing waits\n",
	'nothing left';
$tree->advance(1, oldest_age_ns => 3_000_000_000, waits => [[wait => 3087007743, 0, 0, 5]]);
like window(), qr/: 0 released, 5 still wait\n.*\n +2\.55s +3\.09s +0 +5 +- +\.+\n  p50 -  .*max >=3\.00s\n\z/,
	'what waits is seen though nothing leaves';
$tree->advance(1, load_id => '0123456789abcdef');
is window(), "svcrdma_lag 1.0.0, workqueue era, hooks 2 of 2 ok (ftrace), armed 2 h 14 min\n"
	. "18:13:34: reset: svcrdma_lag was loaded anew\n", 'a reset has none';
is $reader->stop, 0, 'a good end';
is $reader->said, '', 'nothing to complain about';

# No file wait, or one that is not believed.
$tree = Tree->new('busy');
$tree->change(wait => sub { s/^wait +\K1023 /1024 /m or die });
($status, $out) = Reader->run({ tree => $tree, env => $ascii }, '--histogram', 1, 1);
like $out, qr/^no histograms: wait is damaged in row 2\n\n\z/m, 'damaged';
unlink $tree->file('wait');
($status, $out) = Reader->run({ tree => $tree, env => $ascii }, '--histogram', 1, 1);
like $out, qr/^no histograms: this module has no file wait\n\n\z/m, 'not there';
is $status, 0, 'and yet a report';

# The widths of terminals, and of what only says that it is one.
sub widest
{
	my (%env) = @_;
	my ($status, $out) = Reader->run({ tree => Tree->new('busy'), env => \%env }, '--histogram', 1, 1);

	return (sort { $b <=> $a } map { length } grep { /^ / } split /\n/, decode('UTF-8', $out))[0];
}

is widest(LC_ALL => 'C', COLUMNS => 100), 100, '100 columns';
is widest(LC_ALL => 'C', COLUMNS => $_), 80, "COLUMNS=$_: the default" for '', 0, 19, 1001, 'x', '90x', -1, '9' x 99;
is widest(LC_ALL => 'C', COLUMNS => 20), 64, 'as narrow as its numbers';
is widest(LC_ALL => 'C.UTF-8', COLUMNS => 90), 90, 'characters are counted, not bytes';

SKIP: {
	my $terminal = Terminal->new(50, 93) or skip 'no terminals here', 2;

	for my $columns ('', 85) {
		$reader = Reader->start({ tree => Tree->new('busy'), stdout => $terminal->name,
			env => { LC_ALL => 'C', COLUMNS => $columns } }, '--histogram', 5, 1);
		my @lines = grep { /^ / } $terminal->lines_until(qr/  max .*\r?\n/, 1);

		$reader->finish;
		is +(sort { $b <=> $a } map { length } @lines)[0], $columns || 93,
			"on a terminal, COLUMNS=$columns";
	}
}

for my $locale (['C.UTF-8', 'C', 1], ['', 'C.UTF-8', 1], ['', 'C', 0], ['C', 'C.UTF-8', 0], ['xx_XX.UTF-8', 'C', 0]) {
	my ($all, $lang, $utf8) = @$locale;
	($status, $out) = Reader->run({ tree => Tree->new('busy'), env => { LC_ALL => $all, LC_CTYPE => '', LANG => $lang } },
		'--histogram', 1, 1);

	is $out =~ /\xe2\x96\x88/ ? 1 : 0, $utf8, "LC_ALL=$all LANG=$lang: blocks or not";
	is $out =~ /[^\n -~]/ ? 1 : 0, $utf8, "LC_ALL=$all LANG=$lang: plain ASCII otherwise";
}

# A pipe that nobody reads: a signal ends it between two lines.
use constant F_SETPIPE_SZ => 1031;
$tree = Tree->new('busy');
$reader = Reader->start({ tree => $tree, child => sub { fcntl STDOUT, F_SETPIPE_SZ, 4096 } }, '--histogram', 0.1);
select undef, undef, undef, 1;
$tree->advance(1, waits => [[wait => 8191, 1, 0, 0]]);
select undef, undef, undef, 1;
is $reader->stop, 0, 'a full pipe, and yet SIGTERM ends it';

done_testing;
