# shellcheck shell=bash
# The direction of includes, and what may be said where.
# shellcheck disable=SC2016,SC2153 # plants are literal; TREE is of tests/build/run

# What Kbuild and tools/Makefile build, in their order.
orders()
{
	# shellcheck disable=SC2046 # lists
	{
		same_order "$1" module Kbuild \
			$(sed -nE 's,^svcrdma_lag-y.*module/([a-z_0-9]+)\.o.*,\1,p' "$1/Kbuild")
		same_order "$1" tools tools/Makefile \
			$(sed -nE 's/^rooms := (.*)/\1/p' "$1/tools/Makefile")
	}
}

# Symbols decide, versions do not; and the kernel built for is not the one running.
versions()
{
	( cd "$1" && grep -rnE '\<(LINUX_VERSION_CODE|KERNEL_VERSION|LINUX_VERSION_(MAJOR|PATCHLEVEL))\>' \
		--include='*.[ch]' --include=Kbuild module include tools tests/kmod ) |
		grep -v '^module/compat/' || true
	( cd "$1" && grep -nE '^[^#]*(uname -r|utsrelease)' Kbuild dkms.conf tests/kmod/Kbuild ) || true
}

plant_upward()	{ echo '#include "hooks.h"' >>"$1/module/counters.h"; }
plant_part()	{ echo '#include "../tools/parse.h"' >>"$1/module/text.c"; }
plant_back()	{ echo '#include "../module/depth.h"' >>"$1/tools/judge.h"; }
plant_state()	{ echo '#include <svcrdma_lag/state.h>' >>"$1/include/svcrdma_lag/abi.h"; }
plant_circle()
{
	echo '#include "b.h"' >"$1/module/compat/a.h"
	echo '#include "a.h"' >"$1/module/compat/b.h"
}
plant_homeless()	{ echo 'int i;' >"$1/module/misc.c"; }
plant_nowhere()	{ echo '#include "no_such.h"' >>"$1/tools/main.c"; }
plant_gone()	{ rm "$1"/module/depth.*; }
plant_second()	{ sed -i '0,/#include/s//#include <linux\/types.h>\n#include/' "$1/module/counters.c"; }
plant_order()	{ sed -i 's,module/counters.o,module/x.o,; s,module/main.o,module/counters.o,; s,module/x.o,module/main.o,' "$1/Kbuild"; }
plant_version()	{ echo '#if LINUX_VERSION_CODE > 1' >>"$1/module/main.c"; }
plant_uname()	{ echo 'MAKE[0]="make KDIR=/lib/modules/`uname -r`/build"' >>"$1/dkms.conf"; }

# rooms_plant FAULT PATTERN CHECK
rooms_plant()
{
	local tree

	tree=$(planted "$1")
	"plant_$1" "$tree"
	check "rooms/sees-$1" sees "$2" "$3" "$tree"
}

check rooms/includes rooms "$TREE"
check rooms/own-header-first own_header_first "$TREE"
check rooms/orders orders "$TREE"
check rooms/versions versions "$TREE"

rooms_plant upward 'counters.h includes module/hooks.h, but the room' rooms
rooms_plant part 'text.c includes tools/parse.h, but module/ must not see' rooms
rooms_plant back 'judge.h includes module/depth.h, but tools/ must not see' rooms
rooms_plant state 'abi.h includes .*state.h, but the room' rooms
rooms_plant circle 'in a circle: .*compat/a.h .*compat/b.h' rooms
rooms_plant homeless 'misc.c is in no room' rooms
rooms_plant nowhere 'nowhere: no_such.h' rooms
rooms_plant gone 'no file in the room module depth' rooms
rooms_plant second 'counters.c does not begin with module/counters.h' own_header_first
rooms_plant order 'Kbuild has another order' orders
rooms_plant version 'main.c:.*LINUX_VERSION_CODE' versions
rooms_plant uname 'dkms.conf:.*uname' versions
