# SPDX-License-Identifier: GPL-2.0
package Tree;

# A tree that svcrdma-lag reads in place of debugfs. It starts as one of
# tests/fixtures and moves on under the reader: each moment is a directory of
# its own, and a symbolic link is renamed onto the next one.

use strict;
use warnings;
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Temp qw(tempdir);

my $fixtures = dirname(__FILE__) . '/../../fixtures';

# A fixture, or with no name a root in which nothing is loaded.
sub new
{
	my ($class, $fixture) = @_;
	my $self = bless { root => tempdir(CLEANUP => 1), moment => 0 }, $class;

	chmod 0755, $self->{root};
	$self->load($fixture) if $fixture;
	return $self;
}

sub root { $_[0]{root} }

sub dir { "$_[0]{root}/svcrdma_lag" }

sub file { "$_[0]{root}/moment-$_[0]{moment}/$_[1]" }

sub link_moment
{
	my ($self) = @_;

	symlink "moment-$self->{moment}", "$self->{root}/next" or die "symlink: $!";
	rename "$self->{root}/next", $self->dir or die "rename: $!";
}

# Show another fixture from now on.
sub load
{
	my ($self, $fixture) = @_;

	$self->{moment}++;
	mkdir "$self->{root}/moment-$self->{moment}" or die "mkdir: $!";
	copy("$fixtures/$fixture/svcrdma_lag/$_", $self->file($_)) or die "$fixture/$_: $!"
		for map { m{([^/]+)$} } glob "$fixtures/$fixture/svcrdma_lag/*";
	$self->link_moment;
}

sub slurp
{
	my ($self, $file) = @_;

	open my $in, '<', $self->file($file) or die "$file: $!";
	local $/;
	return scalar <$in>;
}

sub spew
{
	my ($self, $file, $text) = @_;

	open my $out, '>', $self->file($file) or die "$file: $!";
	print $out $text;
	close $out or die "$file: $!";
}

# Show the next moment: the present one with some files changed by functions,
# each of which changes the text in $_.
sub change
{
	my ($self, %change) = @_;
	my %text = map { m{([^/]+)$}; ($1 => $self->slurp($1)) } glob $self->file('*');

	for my $file (keys %change) {
		local $_ = $text{$file};
		$change{$file}->();
		$text{$file} = $_;
	}
	$self->{moment}++;
	mkdir "$self->{root}/moment-$self->{moment}" or die "mkdir: $!";
	$self->spew($_, $text{$_}) for keys %text;
	$self->link_moment;
}

# Rows of the file wait, in any order: [what, upper_ns, count, lost, waiting]. The
# first two of these are added to what the row had, the last is what it has now.
sub count
{
	for my $row (@_) {
		my ($what, $upper, $count, $lost, $waiting) = @$row;

		($count, $lost) = ($1 + $count, $2 + $lost)
			if s/^$what +$upper +(\d+) +(\d+) +\d+ *\n//m;
		$_ .= "$what $upper $count $lost $waiting\n";
	}
}

# Let some seconds pass. A value of "+N" or "-N" changes a number by N, any
# other is set. That of "waits" is a list of rows, as count() takes them.
sub advance
{
	my ($self, $seconds, %value) = @_;
	my $waits = delete $value{waits} // [];

	$value{$_} = sprintf '%+d', $seconds * 1e9 for qw(time_ns realtime_ns);
	$self->change(wait => sub { count(@$waits) }, stats => sub {
		for my $name (keys %value) {
			my ($old) = /^$name (.*)$/m or die "stats has no $name";
			my $new = $value{$name};

			$new = $old + $new if $new =~ /^[+-]\d/;
			s/^$name \K.*$/$new/m;
		}
	});
}

# The module is unloaded.
sub unload
{
	my ($self) = @_;

	unlink $self->dir or die "unlink: $!";
}

1;
