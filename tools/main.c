// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "parse.h"
#include "sample.h"
#include "judge.h"
#include "render_table.h"
#include "terminal.h"
#include "render_histogram.h"
#include "notes.h"
#include "tick.h"
#include "options.h"
#include "check.h"
#include "derive.h"

/* The column names come again after so many lines where there is no terminal. */
#define LINES_A_HEADER	20

/**
 * struct session - a run of the reader
 * @options: what was asked for
 * @ticker: the clock
 * @notes: what has been said
 * @watch: what the judge remembers
 * @lines: lines since the names of the columns; 0: they are due
 * @headed: the head line stands
 */
struct session {
	const struct svlag_options *options;
	struct svlag_ticker ticker;
	struct svlag_notes notes;
	struct svlag_watch watch;
	unsigned int lines;
	bool headed;
};

/* How a step went: go on, or end with a status. */
enum step { GO_ON, END_OK, END_FAILURE, END_NOT_LOADED };

static enum svlag_exit exit_of(enum step step)
{
	switch (step) {
	case END_FAILURE:
		return SVLAG_EXIT_FAILURE;
	case END_NOT_LOADED:
		return SVLAG_EXIT_NOT_ARMED;
	default:
		return SVLAG_EXIT_OK;
	}
}

static enum step complain(const char *what)
{
	fprintf(stderr, "svcrdma-lag: %s: %s\n", what, strerror(errno));
	return END_FAILURE;
}

static enum step after(enum svlag_wakeup wakeup)
{
	if (wakeup == SVLAG_WAIT_FAILED)
		return complain("cannot wait");
	return wakeup == SVLAG_WOKE ? GO_ON : END_OK;
}

/*
 * A line is written at once, and one that was begun is completed. Who closes
 * the pipe has seen enough: that is an end, not a failure.
 */
static enum step write_line(struct session *session, const char *line, size_t len)
{
	size_t left = len;

	while (left) {
		enum step step = after(svlag_await_room(&session->ticker, STDOUT_FILENO));
		ssize_t n;

		if (step != GO_ON && left == len)
			return step;
		n = write(STDOUT_FILENO, line, left);
		if (n < 0 && errno == EPIPE)
			return END_OK;
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return complain("cannot write to standard output");
		if (n > 0) {
			line += n;
			left -= n;
		}
	}
	session->lines++;
	return GO_ON;
}

static unsigned int lines_a_header(void)
{
	struct svlag_terminal terminal;

	svlag_terminal_look(&terminal);
	return terminal.rows < 5 ? LINES_A_HEADER : terminal.rows - 1;
}

static enum step write_columns(struct session *session)
{
	char line[SVLAG_LINE_SIZE];

	session->lines = 0;
	svlag_table_columns(line);
	return write_line(session, line, strlen(line));
}

static enum step write_head(struct session *session, const struct svlag_sample *sample)
{
	bool is_system = !strcmp(session->options->root, SVLAG_DEFAULT_ROOT);
	char line[SVLAG_LINE_SIZE];
	struct utsname system;
	enum step step;

	/* A saved tree is of another kernel than the one that runs here. */
	svlag_table_head(line, sample, is_system && !uname(&system) ? system.release : NULL);
	session->headed = true;
	step = write_line(session, line, strlen(line));
	return step == GO_ON && !session->options->histogram ? write_columns(session) : step;
}

/* Line by line, so that none blocks, and a signal need not wait for the last. */
static enum step write_histograms(struct session *session, const struct svlag_report *report)
{
	char text[SVLAG_HISTOGRAMS_SIZE];
	struct svlag_terminal terminal;
	const char *line = text, *end;
	enum step step = GO_ON;

	svlag_terminal_look(&terminal);
	svlag_histograms(text, report, &terminal);
	while (step == GO_ON && (end = strchr(line, '\n'))) {
		step = write_line(session, line, end + 1 - line);
		line = end + 1;
	}
	return step;
}

static enum step write_row(struct session *session, const struct svlag_report *report)
{
	char line[SVLAG_LINE_SIZE];

	svlag_table_row(line, report);
	return write_line(session, line, strlen(line));
}

static enum step show(struct session *session, const struct svlag_report *report)
{
	bool histogram = session->options->histogram;
	enum step step = GO_ON;

	svlag_note(&session->notes, report, stderr);
	if (!session->headed)
		step = write_head(session, report->sample);
	else if (!histogram && session->lines >= lines_a_header())
		step = write_columns(session);
	if (step != GO_ON)
		return step;
	return histogram ? write_histograms(session, report) : write_row(session, report);
}

static enum step take(const struct session *session, struct svlag_sample *sample)
{
	char why[SVLAG_SENTENCE_SIZE];
	enum svlag_reading reading = svlag_read_sample(session->options->root, sample, why);

	if (reading == SVLAG_READ_OK)
		return GO_ON;
	fprintf(stderr, "svcrdma-lag: %s\n", why);
	return reading == SVLAG_READ_NOT_LOADED ? END_NOT_LOADED : END_FAILURE;
}

static enum step report_since_arming(struct session *session, const struct svlag_sample *sample)
{
	struct svlag_judgement judgement;
	struct svlag_window window;
	struct svlag_report report = { sample, &window, &judgement, true };

	svlag_since_arming(sample, &window);
	svlag_judge_sample(sample, &window, &judgement);
	return show(session, &report);
}

static enum step report_window(struct session *session, const struct svlag_sample *from,
			       const struct svlag_sample *to)
{
	struct svlag_judgement judgement;
	struct svlag_window window;
	struct svlag_report report = { to, &window, &judgement, false };

	svlag_diff(from, to, &window);
	svlag_judge_window(&session->watch, from, to, &window, &judgement);
	/* After a reset other things may be armed, in another way. */
	if (window.reset != SVLAG_RESET_NONE)
		session->headed = false;
	return show(session, &report);
}

static enum svlag_exit run(struct session *session)
{
	const struct svlag_options *options = session->options;
	struct svlag_sample sample[2];
	unsigned int now = 0;
	__u64 reports = 0;
	enum step step = take(session, &sample[now]);

	if (step == GO_ON && options->skip_first) {
		step = write_head(session, &sample[now]);
	} else if (step == GO_ON) {
		step = report_since_arming(session, &sample[now]);
		reports++;
	}
	svlag_watch_begin(&session->watch, &sample[now]);
	while (step == GO_ON && (!options->count || reports < options->count)) {
		step = after(svlag_await_tick(&session->ticker));
		if (step == GO_ON)
			step = take(session, &sample[!now]);
		if (step != GO_ON)
			break;
		now = !now;
		step = report_window(session, &sample[!now], &sample[now]);
		reports++;
	}
	if (step == GO_ON && !svlag_is_armed(&sample[now]))
		return SVLAG_EXIT_NOT_ARMED;
	return exit_of(step);
}

static enum svlag_exit say(const char *text)
{
	if (fputs(text, stdout) >= 0 && !fflush(stdout))
		return SVLAG_EXIT_OK;
	return exit_of(errno == EPIPE ? END_OK : complain("cannot write to standard output"));
}

static enum svlag_exit say_layout(const struct svlag_options *options)
{
	char text[SVLAG_DERIVED_SIZE];
	char why[SVLAG_SENTENCE_SIZE];
	enum svlag_exit status = svlag_derive("/sys", options, text, why);

	if (status == SVLAG_EXIT_OK)
		return say(text);
	fprintf(stderr, "svcrdma-lag: %s\n", why);
	return status;
}

int main(int argc, char **argv)
{
	struct svlag_options options;
	struct session session = { .options = &options };

	/* Else the next descriptor would be taken for standard output. */
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		return exit_of(complain("cannot write to standard output"));
	signal(SIGPIPE, SIG_IGN);
	svlag_read_options(&options, argc, argv);
	switch (options.action) {
	case SVLAG_MISUSE:
		fputs("svcrdma-lag: see svcrdma-lag --help\n", stderr);
		return SVLAG_EXIT_USAGE;
	case SVLAG_HELP:
		return say(svlag_usage);
	case SVLAG_SHOW_VERSION:
		return say("svcrdma-lag " SVLAG_VERSION "\n");
	case SVLAG_CHECK:
		return svlag_check(options.root);
	case SVLAG_LAYOUT:
		return say_layout(&options);
	case SVLAG_WATCH:
		break;
	}
	if (svlag_ticker_start(&session.ticker, options.interval_ns))
		return exit_of(complain("cannot start the clock"));
	return run(&session);
}
