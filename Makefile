# SPDX-License-Identifier: GPL-2.0
# make            the module and the reader
# make module     svcrdma_lag.ko for the kernel whose build directory is KDIR
# make tool       tools/svcrdma-lag
# make install    both, the module for that kernel alone
# make dkms-install    the module by DKMS, which builds it for every kernel to come
# make dkms-uninstall    leaves nothing of that
# make check      the tests that need no guest; sudo tests/run is all of them
# make help       the rest

# The running kernel's, unless DKMS or the caller names another.
KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local

# Options without which nothing could be counted or shown.
NEEDED := CONFIG_MODULES CONFIG_KALLSYMS CONFIG_KPROBES CONFIG_TRACEPOINTS CONFIG_DEBUG_FS CONFIG_64BIT

all: module tool

module: headers
	+$(MAKE) -C $(KDIR) M=$(CURDIR) $(if $(PAHOLE_MISSING),CONFIG_DEBUG_INFO_BTF_MODULES=) modules

# BTF is a help for bpftrace's users and no need of ours; without pahole the link would fail.
PAHOLE_MISSING := $(if $(shell command -v pahole),,yes)

HEADERS_HINT := $(patsubst /lib/modules/%/build, (Debian: apt install linux-headers-%),$(filter \
	/lib/modules/%/build,$(KDIR)))

LACKING = $(firstword $(filter-out $(shell sed -n 's/=y$$//p' $(wildcard \
	$(KDIR)/include/config/auto.conf $(KDIR)/.config) </dev/null),$(NEEDED)))

headers:
	@test -e $(KDIR)/Makefile || { echo "svcrdma_lag: no kernel to build for in $(KDIR):" \
		"install its headers$(HEADERS_HINT), or give KDIR=DIR" >&2; exit 1; }
	@test -z "$(LACKING)" || { echo "svcrdma_lag: the kernel in $(KDIR) was built without" \
		"$(LACKING), which svcrdma_lag needs: build the kernel with it" >&2; exit 1; }

# For DKMS, whose failure leaves apt broken: a kernel for which the module cannot be
# built gets one that says so at insmod.
module-or-reason:
	+$(MAKE) module || \
		$(MAKE) -C $(KDIR) M=$(CURDIR) SVLAG_DECLINE=yes SVLAG_LACKING=$(LACKING) modules

tool:
	+$(MAKE) -C tools

install: module tool
	+$(MAKE) -C tools install
	+$(MAKE) -C $(KDIR) M=$(CURDIR) $(KEY_MISSING) INSTALL_MOD_DIR=updates \
		$(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) modules_install
	@test -n "$(DESTDIR)" || for ko in $(INSTALLED); do depmod $(RELEASE); done

# Where modules_install put it, for any kernel; and which kernel that is.
INSTALLED = $(DESTDIR)/lib/modules/*/updates/svcrdma_lag.ko*
RELEASE = $$(basename $${ko%/updates/*})

# Headers packages ask to sign with a key that only their builder has.
KEY_MISSING = $(if $(wildcard $(KDIR)/certs/signing_key.pem),,CONFIG_MODULE_SIG_ALL=)

uninstall:
	+$(MAKE) -C tools uninstall
	@for ko in $(INSTALLED); do \
		test -e $$ko || continue; \
		rm -v $$ko; \
		test -n "$(DESTDIR)" || depmod $(RELEASE); \
	done

# KERNELVER=... is another kernel than the running one. With DESTDIR, as a package is
# made, the sources alone are laid out: dkms is called where the package is installed.
KERNELVER ?= $(shell uname -r)

dkms-install:
ifdef DESTDIR
	tools/dkms.sh sources $(DESTDIR)
else
	tools/dkms.sh check $(KERNELVER)
	+$(MAKE) KDIR=/lib/modules/$(KERNELVER)/build module
	tools/dkms.sh install $(KERNELVER)
endif

dkms-uninstall:
	tools/dkms.sh uninstall

check: tool
	tests/unit/run
	tests/tool/run
	tests/build/run rooms

demo:
	tests/vm/demo

style:
	tests/build/run style

clean:
	+$(MAKE) -C tools clean
	find . -path ./.git -prune -o \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o \
		-name '*.mod.c' -o -name '.*.cmd' -o -name modules.order -o -name Module.symvers \
		-o -path ./module/compat/answers.h -o -name .module-common.o \) -exec rm -f {} +

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile
	@echo 'make uninstall, demo, style, clean; variables KDIR, KERNELVER, DESTDIR, PREFIX'

.PHONY: all module module-or-reason headers tool install uninstall dkms-install dkms-uninstall \
	check demo style clean help
export PREFIX DESTDIR
