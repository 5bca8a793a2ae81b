# SPDX-License-Identifier: GPL-2.0
package Reader;

# svcrdma-lag as a child. SVLAG_READER in the environment names the program.

use strict;
use warnings;
use Exporter qw(import);
use Fcntl qw(F_SETFD);
use IO::Select;
use POSIX ();

our @EXPORT = qw(row);

# However busy the machine is, nothing here takes so long.
my $patience = 60;

# Starts it with these arguments. Options: tree, env => {}, stdout => a file,
# child => a function to call in the child before the program starts.
sub start
{
	my ($class, $option, @arguments) = @_;
	my $program = $ENV{SVLAG_READER} or die "SVLAG_READER is not set";
	my $self = bless { lines => [], partial => '', status => undef }, $class;

	unshift @arguments, '--root', $option->{tree}->root if $option->{tree};
	pipe $self->{out}, my $stdout or die "pipe: $!";
	open $self->{err}, '+>', undef or die "temporary file: $!";
	$self->{pid} = fork // die "fork: $!";
	if (!$self->{pid}) {
		open STDOUT, '>&', $stdout or die;
		open STDERR, '>&', $self->{err} or die;
		open STDOUT, '>', $option->{stdout} or die if $option->{stdout};
		%ENV = (%ENV, TZ => 'UTC', %{ $option->{env} // {} });
		$option->{child}->() if $option->{child};
		exec $program, @arguments or POSIX::_exit(127);
	}
	close $stdout;
	return $self;
}

# Runs it to its end: (status, stdout, stderr).
sub run
{
	my ($class, $option, @arguments) = @_;
	my $self = $class->start($option, @arguments);
	my $text = '';

	while (defined(my $line = $self->line)) {
		$text .= "$line\n";
	}
	return ($self->finish, $text, $self->said);
}

# The next line of stdout, or undef at its end.
sub line
{
	my ($self) = @_;

	until (@{ $self->{lines} }) {
		IO::Select->new($self->{out})->can_read($patience) or die "no line came";
		my $n = sysread $self->{out}, my $bytes, 65536;
		die "read: $!" unless defined $n;
		return undef unless $n;
		$bytes = $self->{partial} . $bytes;
		push @{ $self->{lines} }, $1 while $bytes =~ s/^(.*)\n//;
		$self->{partial} = $bytes;
	}
	return shift @{ $self->{lines} };
}

# The next row that is a window: no head, no names of columns, and no window in
# which the tree stood still.
sub next_row
{
	my ($self) = @_;

	for (1 .. 10 * $patience) {
		my $line = $self->line;

		return $line unless defined $line && $line =~ /^svcrdma_lag |^ +time |stood still/;
	}
	die 'no new window came';
}

# A row as a hash.
sub row
{
	my ($line) = @_;
	my %row;

	@row{qw(time queued released get capped ratio depth wait p50 p99 max state)} =
		split ' ', $line // '', 12;
	return \%row;
}

sub signal
{
	my ($self, $signal) = @_;

	kill $signal, $self->{pid};
}

# The exit status, or "signal N". Waits for the end.
sub finish
{
	my ($self) = @_;

	return $self->{status} if defined $self->{status};
	close $self->{out};
	local $SIG{ALRM} = sub { kill 'KILL', $self->{pid}; };
	alarm $patience;
	waitpid $self->{pid}, 0;
	alarm 0;
	$self->{status} = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
	return $self->{status};
}

# What it has said on stderr so far.
sub said
{
	my ($self) = @_;

	seek $self->{err}, 0, 0;
	local $/;
	return readline($self->{err}) // '';
}

# Ends it by SIGTERM; the status.
sub stop
{
	my ($self) = @_;

	$self->signal('TERM');
	return $self->finish;
}

sub DESTROY
{
	my ($self) = @_;

	local $?;
	kill 'KILL', $self->{pid} and waitpid $self->{pid}, 0
		if $self->{pid} && !defined $self->{status};
}

1;
