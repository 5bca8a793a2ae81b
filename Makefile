# SPDX-License-Identifier: GPL-2.0
# make            the module and the reader
# make module     svcrdma_lag.ko for the kernel whose build directory is KDIR
# make tool       tools/svcrdma-lag
# make install    both, the module by DKMS's own way or modules_install
# make check      the tests that need no guest; sudo tests/run is all of them
# make help       the rest

# The running kernel's, unless DKMS or the caller names another.
KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local

# Options without which nothing could be counted or shown.
NEEDED := CONFIG_MODULES CONFIG_KALLSYMS CONFIG_KPROBES CONFIG_DEBUG_FS CONFIG_64BIT

all: module tool

module: headers
	+$(MAKE) -C $(KDIR) M=$(CURDIR) $(if $(PAHOLE_MISSING),CONFIG_DEBUG_INFO_BTF_MODULES=) modules

# BTF is a help for bpftrace's users and no need of ours; without pahole the link would fail.
PAHOLE_MISSING := $(if $(shell command -v pahole),,yes)

HEADERS_HINT := $(patsubst /lib/modules/%/build, (Debian: apt install linux-headers-%),$(filter \
	/lib/modules/%/build,$(KDIR)))

headers:
	@test -e $(KDIR)/Makefile || { echo "svcrdma_lag: no kernel to build for in $(KDIR):" \
		"install its headers$(HEADERS_HINT), or give KDIR=DIR" >&2; exit 1; }
	@for option in $(NEEDED); do \
		grep -qsx "$$option=y" $(KDIR)/include/config/auto.conf $(KDIR)/.config || { \
		echo "svcrdma_lag: the kernel in $(KDIR) was built without $$option," \
			"which svcrdma_lag needs: build the kernel with it" >&2; exit 1; }; \
	done

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
		-o -name answers.h -o -name .module-common.o \) -exec rm -f {} +

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile
	@echo 'make uninstall, demo, style, clean; variables KDIR, DESTDIR, PREFIX'

.PHONY: all module headers tool install uninstall check demo style clean help
export PREFIX DESTDIR
