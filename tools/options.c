// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <svcrdma_lag/abi.h>

#define NSEC_PER_SEC		1000000000ULL
#define INTERVAL_DEFAULT_NS	(5 * NSEC_PER_SEC)
#define INTERVAL_MIN_NS		(NSEC_PER_SEC / 10)
#define INTERVAL_MAX_NS		(86400 * NSEC_PER_SEC)
#define COUNT_MAX		1000000000ULL

const char svlag_usage[] =
	"usage: svcrdma-lag [options] [interval [count]]\n"
	"       svcrdma-lag layout [FILE [BASE]]\n"
	"\n"
	"Shows whether the deferred release of NFS/RDMA send contexts keeps up with\n"
	"their completions: a report every interval (5) seconds, count of them or\n"
	"without end. The first report is the one since the hooks were armed.\n"
	"\n"
	"  -y, --skip-first   leave the first report out\n"
	"      --histogram    draw how long items waited and were worked on, and no table\n"
	"      --check        check all files of the module against the contract\n"
	"      --root DIR     read DIR/svcrdma_lag and not /sys/kernel/debug/svcrdma_lag;\n"
	"                     SVCRDMA_LAG_ROOT in the environment does the same\n"
	"  -V, --version      say the version\n"
	"  -h, --help         say this\n"
	"\n"
	"layout prints, as a line of modprobe.d, the parameter layout= with which the\n"
	"module measures in full on the rpcrdma that runs here, by the kernel's BTF; or\n"
	"by that of FILE, a module of the kernel whose BTF is BASE (the running one's).\n"
	"\n"
	"Exit status: 0 ok, 1 failure, 2 usage, 3 svcrdma_lag is not loaded, or was not\n"
	"armed at the last report (without a count it waits until it is); or, of layout,\n"
	"rpcrdma is not loaded.\n";

/* Decimal seconds, without regard to the locale; false for anything else. */
static bool to_interval(const char *text, __u64 *ns)
{
	__u64 unit = NSEC_PER_SEC;
	__u64 sum = 0;
	bool digits = false;
	bool fraction = false;

	for (; *text; text++) {
		if (*text == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (*text < '0' || *text > '9')
			return false;
		digits = true;
		if (fraction) {
			unit /= 10;
			sum += (*text - '0') * unit;
		} else if (sum <= INTERVAL_MAX_NS) {
			sum = sum * 10 + (*text - '0') * unit;
		}
	}
	*ns = sum;
	return digits && sum >= INTERVAL_MIN_NS && sum <= INTERVAL_MAX_NS;
}

static bool to_count(const char *text, __u64 *count)
{
	*count = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || *count > COUNT_MAX)
			return false;
		*count = *count * 10 + (*text - '0');
	}
	return *count && *count <= COUNT_MAX;
}

static enum svlag_action too_many(const char *argument)
{
	fprintf(stderr, "svcrdma-lag: \"%s\" is one argument too many\n", argument);
	return SVLAG_MISUSE;
}

static enum svlag_action read_operands(struct svlag_options *options, int argc, char **argv)
{
	if (argc > 0 && !strcmp(argv[0], "layout") && options->action == SVLAG_WATCH) {
		options->btf_file = argc > 1 ? argv[1] : NULL;
		options->btf_base = argc > 2 ? argv[2] : NULL;
		return argc > 3 ? too_many(argv[3]) : SVLAG_LAYOUT;
	}
	if (argc > 0 && !to_interval(argv[0], &options->interval_ns)) {
		fprintf(stderr, "svcrdma-lag: interval \"%s\" is not a number of seconds from 0.1 "
			"to 86400\n", argv[0]);
		return SVLAG_MISUSE;
	}
	if (argc > 1 && !to_count(argv[1], &options->count)) {
		fprintf(stderr, "svcrdma-lag: count \"%s\" is not a whole number from 1 to %llu\n",
			argv[1], COUNT_MAX);
		return SVLAG_MISUSE;
	}
	if (argc > 2)
		return too_many(argv[2]);
	if (argc > 0 && options->action == SVLAG_CHECK) {
		fprintf(stderr, "svcrdma-lag: --check takes no interval\n");
		return SVLAG_MISUSE;
	}
	return options->action;
}

void svlag_read_options(struct svlag_options *options, int argc, char **argv)
{
	enum { ROOT = 256, CHECK, HISTOGRAM };
	static const struct option known[] = {
		{ "skip-first",	no_argument,		NULL, 'y' },
		{ "histogram",	no_argument,		NULL, HISTOGRAM },
		{ "check",	no_argument,		NULL, CHECK },
		{ "root",	required_argument,	NULL, ROOT },
		{ "version",	no_argument,		NULL, 'V' },
		{ "help",	no_argument,		NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const char *root = getenv("SVCRDMA_LAG_ROOT");
	int c;

	memset(options, 0, sizeof(*options));
	options->interval_ns = INTERVAL_DEFAULT_NS;
	options->root = root && *root ? root : SVLAG_DEFAULT_ROOT;

	while ((c = getopt_long(argc, argv, "yVh", known, NULL)) != -1) {
		switch (c) {
		case 'y':
			options->skip_first = true;
			break;
		case HISTOGRAM:
			options->histogram = true;
			break;
		case CHECK:
			options->action = SVLAG_CHECK;
			break;
		case ROOT:
			options->root = optarg;
			break;
		case 'V':
			options->action = SVLAG_SHOW_VERSION;
			return;
		case 'h':
			options->action = SVLAG_HELP;
			return;
		default:
			options->action = SVLAG_MISUSE;
			return;
		}
	}
	options->action = read_operands(options, argc - optind, argv + optind);
}
