// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the frequency of this machine's TSC in kHz, which is what a guest under
 * TCG sees. The guest's own calibration against an emulated timer goes wrong on a
 * busy host - by a factor of 13 once -, and then its seconds do.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct moment {
	uint64_t ns, tsc;
};

/* Of many tries the one that was interrupted least. */
static struct moment now(void)
{
	struct moment best = { 0, 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 1000; i++) {
		struct timespec t;
		uint64_t before = __rdtsc(), after;

		clock_gettime(CLOCK_MONOTONIC_RAW, &t);
		after = __rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		best.ns = t.tv_sec * 1000000000ull + t.tv_nsec;
		best.tsc = before + least / 2;
	}
	return best;
}

int main(void)
{
	struct timespec pause = { 0, 300 * 1000 * 1000 };
	struct moment from, to;

	from = now();
	nanosleep(&pause, NULL);
	to = now();
	printf("%.0f\n", (to.tsc - from.tsc) * 1e6 / (to.ns - from.ns));
	return 0;
}
