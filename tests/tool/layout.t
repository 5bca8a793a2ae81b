# SPDX-License-Identifier: GPL-2.0
# svcrdma-lag layout, on BTF that is made here.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;
use Btf;
use Reader;

my $dir = tempdir(CLEANUP => 1);
my ($kernel, %type) = Btf->kernel;
my $module = Btf->new($kernel);

$kernel->save("$dir/vmlinux");
$module->struct('svc_rdma_send_ctxt', ['sc_work', $type{work_struct}, 16], ['sc_rdma', $type{ptr}, 48],
	['sc_cqe', $type{ib_cqe}, 112], ['sc_write_info_list', $type{list_head}, 272]);
$module->save("$dir/rpcrdma");

my ($status, $out, $err) = Reader->run({}, 'layout', "$dir/rpcrdma", "$dir/vmlinux");

is $status, 0, 'a saved file: the status';
is $err, '', 'nothing to complain about';
like $out, qr/^# struct svc_rdma_send_ctxt in \Q$dir\E\/rpcrdma:\n/, 'which file it is';
like $out, qr/^#   \Q$_\E$/m, "a member: $_"
	for 'sc_cqe             112', 'sc_rdma            48', 'sc_work            16',
	'sc_write_info_list 272';
like $out, qr/\noptions svcrdma_lag layout=cqe=112,rdma=48,work=16,infos=272\n\z/, 'the line comes last';
is scalar(grep { !/^#|^options / } split /\n/, $out), 0, 'the whole is a file for modprobe.d';

# In a structure without a name; and two members fewer.
my $vendors = Btf->new($kernel);
my $inner = $vendors->struct('', ['sc_rdma', $type{ptr}, 8]);

$vendors->struct('svc_rdma_send_ctxt', ['sc_cqe', $type{ib_cqe}, 8], ['', $inner, 64]);
$vendors->save("$dir/vendors");
($status, $out) = Reader->run({}, 'layout', "$dir/vendors", "$dir/vmlinux");
is $status, 0, "a vendor's: the status";
like $out, qr/^#   sc_work            -$/m, 'a member that is not there';
like $out, qr/\noptions svcrdma_lag layout=cqe=8,rdma=72,work=-,infos=-\n\z/, 'the line';

# A kernel into which rpcrdma is linked stands by itself.
my ($linked, %of) = Btf->kernel;

$linked->struct('svc_rdma_send_ctxt', ['sc_cqe', $of{ib_cqe}, 24]);
$linked->save("$dir/linked");
is +(Reader->run({}, 'layout', "$dir/linked"))[0], 0, 'BTF that needs no other';

# What cannot be answered.
sub refused
{
	my ($what, $sentence, @files) = @_;

	($status, $out, $err) = Reader->run({}, 'layout', @files);
	is $status, 1, "$what: the status";
	is $out, '', "$what: no data";
	is $err, "svcrdma-lag: $sentence\n", "$what: the sentence";
}

my $other = Btf->new($kernel);

$other->struct('svc_rdma_recv_ctxt', ['rc_cqe', $type{ib_cqe}, 8]);
$other->save("$dir/other");
refused 'no such structure', "$dir/other knows no struct svc_rdma_send_ctxt", "$dir/other",
	"$dir/vmlinux";
$other->add('svc_rdma_send_ctxt', fwd => 0, 0);
$other->save("$dir/other");
refused 'a declaration', "$dir/other declares struct svc_rdma_send_ctxt and does not say what is in it",
	"$dir/other", "$dir/vmlinux";
refused 'no such file', "cannot read $dir/nothing: No such file or directory", "$dir/nothing";
refused 'a directory', "cannot read $dir: it is no file", $dir;
refused 'no such base', "cannot read $dir/nothing: No such file or directory", "$dir/rpcrdma",
	"$dir/nothing";

my $bytes = $module->bytes;
for my $damage (['empty', ''], ['cut short', substr $bytes, 0, length($bytes) / 2],
	['garbage', "garbage\n" x 100], ['an object file of sorts', "\x7fELF\2\1\1" . "\0" x 100]) {
	open my $file, '>:raw', "$dir/damaged" or die;
	print $file $damage->[1];
	close $file;
	refused $damage->[0], "$dir/damaged holds no BTF that libbpf understands", "$dir/damaged",
		"$dir/vmlinux";
}

SKIP: {
	my $tmpfs = 'mount -t tmpfs none /sys';

	skip 'no mount namespaces here', 10 if system("unshare -m sh -c '$tmpfs' 2>/dev/null");
	my $tree = "$tmpfs; mkdir -p /sys/kernel/btf /sys/module";
	my $base = "cp $dir/vmlinux /sys/kernel/btf";
	my $loaded = 'mkdir /sys/module/rpcrdma';
	my $in_full = "$tree; $base; $loaded; cp $dir/rpcrdma /sys/kernel/btf";
	my $run = "$ENV{SVLAG_READER} layout 2>&1; echo status \$?";
	my $uses = 'mkdir -p /sys/module/svcrdma_lag/parameters; echo';
	my $parameter = '> /sys/module/svcrdma_lag/parameters/layout';

	is `unshare -m sh -c '$tree; $run'`, "svcrdma-lag: there is no /sys/kernel/btf/vmlinux: "
		. "this kernel was built without CONFIG_DEBUG_INFO_BTF\nstatus 1\n", 'no BTF at all';
	is `unshare -m sh -c '$tree; $base; $run'`,
		"svcrdma-lag: rpcrdma is not loaded: modprobe rpcrdma\nstatus 3\n", 'not loaded';
	is `unshare -m sh -c '$tree; $base; $loaded; $run'`, "svcrdma-lag: rpcrdma is loaded and has "
		. "no /sys/kernel/btf/rpcrdma: it was built without BTF, or for another kernel\n"
		. "status 1\n", 'loaded without BTF';
	$out = `unshare -m sh -c '$in_full; $run'`;
	like $out, qr/ in \/sys\/kernel\/btf\/rpcrdma, kernel \S+:\n/, 'the running one';
	like $out, qr/\noptions svcrdma_lag layout=cqe=112,.*\nstatus 0\n\z/, 'its line';
	unlike $out, qr/loaded/, 'nothing of a module that is not loaded';
	$out = `unshare -m sh -c '$in_full; $uses cqe=112,rdma=48,work=16,infos=272 $parameter; $run'`;
	like $out, qr/\n# The loaded svcrdma_lag uses the same\.\noptions/, 'the module has the same';
	$out = `unshare -m sh -c '$in_full; $uses cqe=104,rdma=48,work=16,infos=- $parameter; $run'`;
	like $out, qr/\n#   sc_cqe             112  \(the loaded svcrdma_lag uses 104\)\n/,
		'the module has another: which';
	like $out, qr/\n# The loaded svcrdma_lag uses others: load it anew with these\.\noptions/,
		'and what to do';
	is `unshare -m sh -c '$in_full; exec >/dev/full; $ENV{SVLAG_READER} layout; echo status \$? >&2' 2>&1`,
		"svcrdma-lag: cannot write to standard output: No space left on device\nstatus 1\n",
		'no room for the answer';
}

{
	local $ENV{SVLAG_READER} = $ENV{SVLAG_BARE_READER};
	refused 'built without libbpf', 'this svcrdma-lag was built without libbpf, which reads BTF: '
		. 'install libbpf-dev and pkg-config, and make tool again', "$dir/rpcrdma";
	is +(Reader->run({}, '--version'))[0], 0, 'without libbpf all else goes on';
}

# A machine without libbpf: there is the program, and what it is linked to.
SKIP: {
	my $root = "$dir/root";
	my @needs = `ldd $ENV{SVLAG_READER}` =~ /(\/\S+) \(/g;
	my $here = "unshare -m sh -c 'mount --bind /proc $root/proc && exec chroot $root /reader";
	my $cannot = qr/svcrdma-lag: BTF is read by libbpf, which cannot be loaded here: install it \(Debian: apt install libbpf1; /;

	mkdir $_ or die for $root, "$root/proc";
	system('cp', '--parents', '-L', @needs, $root) and die;
	system('cp', $ENV{SVLAG_READER}, "$root/reader") and die;
	system('cp', "$dir/rpcrdma", "$dir/vmlinux", $root) and die;
	skip 'no mount namespaces here', 7 if system "$here --version >/dev/null'";
	is `$here --version'`, `$ENV{SVLAG_READER} --version`, 'without libbpf the program starts';
	is `$here layout /rpcrdma /vmlinux 2>/dev/null'`, '', 'and finds no offsets';
	is $? >> 8, 1, 'the status';
	like `$here layout /rpcrdma /vmlinux 2>&1'`, qr/^${cannot}libbpf\.so\.1: .*No such file.*\)$/,
		'the sentence';
	like `$here 1 1 2>&1'`, qr/^svcrdma-lag: .*debugfs/, 'all else goes on';

	my ($place) = grep { /libc\.so/ } @needs;
	my $library = $root . $place =~ s/libc\.so.*/libbpf.so.1/r;

	system("echo 'int btf__parse;' | gcc -shared -o $library -x c -") and die;
	like `$here layout /rpcrdma /vmlinux 2>&1'`, qr/^$cannot.*undefined symbol: btf__\w+\)$/,
		'another library of that name';
	is $? >> 8, 1, 'the status';
}

done_testing;
