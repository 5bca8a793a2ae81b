# SPDX-License-Identifier: GPL-2.0
package Terminal;

# A terminal of a given size that nobody sits at.

use strict;
use warnings;

use constant { TIOCSPTLCK => 0x40045431, TIOCGPTN => 0x80045430, TIOCSWINSZ => 0x5414 };

# undef where there are none.
sub new
{
	my ($class, $rows, $columns) = @_;
	my ($number, $unlocked) = (pack('i', 0), pack('i', 0));
	my $self = bless {}, $class;

	open $self->{master}, '+<', '/dev/ptmx' or return undef;
	ioctl $self->{master}, TIOCSPTLCK, $unlocked and ioctl $self->{master}, TIOCGPTN, $number
		or return undef;
	$self->{name} = '/dev/pts/' . unpack('i', $number);
	open $self->{slave}, '+<', $self->{name} or return undef;
	ioctl $self->{slave}, TIOCSWINSZ, pack('S4', $rows, $columns, 0, 0) or die "ioctl: $!";
	return $self;
}

# The file that a program writes to.
sub name { $_[0]{name} }

# What was written to it up to what matches so often, in lines.
sub lines_until
{
	my ($self, $pattern, $times) = @_;
	my $text = '';

	while ((() = $text =~ /$pattern/g) < $times) {
		sysread $self->{master}, $text, 65536, length $text or die "read: $!";
	}
	return split /\r?\n/, $text;
}

1;
