# SPDX-License-Identifier: GPL-2.0
package Btf;

# Files of BTF, of the little that svcrdma-lag looks at: see the kernel's
# Documentation/bpf/btf.rst.

use strict;
use warnings;

my %kind = (int => 1, ptr => 2, struct => 4, union => 5, fwd => 7);

# A kernel's, or that of a module of the kernel $base.
sub new
{
	my ($class, $base) = @_;

	return bless {
		types => '', strings => $base ? '' : "\0",
		next_type => $base ? $base->{next_type} : 1,
		string_at => $base ? $base->{string_at} + length $base->{strings} : 0,
	}, $class;
}

sub string
{
	my ($self, $text) = @_;
	my $at = $self->{string_at} + length $self->{strings};

	return 0 if $text eq '';
	$self->{strings} .= "$text\0";
	return $at;
}

# A type; its number.
sub add
{
	my ($self, $name, $kind, $members, $size, @rest) = @_;

	$self->{types} .= pack 'V*', $self->string($name), $kind{$kind} << 24 | $members, $size, @rest;
	return $self->{next_type}++;
}

# A struct with members [name, type, offset in bytes].
sub struct
{
	my ($self, $name, @members) = @_;
	my @packed = map { ($self->string($_->[0]), $_->[1], $_->[2] * 8) } @members;

	return $self->add($name, struct => scalar @members, 512, @packed);
}

sub bytes
{
	my ($self) = @_;

	return pack('vCCV5', 0xeb9f, 1, 0, 24, 0, length $self->{types}, length $self->{types},
		length $self->{strings}) . $self->{types} . $self->{strings};
}

sub save
{
	my ($self, $path) = @_;

	open my $out, '>:raw', $path or die "$path: $!";
	print $out $self->bytes;
	close $out or die "$path: $!";
}

# The types that the members of struct svc_rdma_send_ctxt have, by their names.
sub kernel
{
	my ($class) = @_;
	my $self = $class->new;
	my %type = (ptr => $self->add('', ptr => 0, 0));

	$type{$_} = $self->struct($_, ['first', $type{ptr}, 0]) for qw(ib_cqe work_struct list_head);
	return ($self, %type);
}

1;
