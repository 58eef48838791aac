/* SPDX-License-Identifier: MIT */
/* UART logs: whole lines among noise, and damage of every kind. */
#include "check.h"

#include <unistd.h>

#include "store/uart.h"

#define END "{\"t\":\"end\",\"status\":0,\"records\":3,\"crc32\":\"47fd5eb0\"}"
#define RUN "{\"t\":\"run\",\"number\":1,\"of\":3,\"kernel\":\"chase\"," \
	    "\"crc32\":\"cdcd7388\"}"

static struct uart_log read_text(const char *text, size_t bytes)
{
	char path[] = "/tmp/test-uart-XXXXXX";
	int fd = mkstemp(path);
	struct uart_log log;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, bytes), (ssize_t)bytes);
	close(fd);
	assert_int_equal(uart_read(&log, path, NULL, NULL, NULL), 0);
	unlink(path);
	return log;
}

static void expect(const char *text, size_t bytes, bool ended,
		   unsigned damaged, unsigned noise)
{
	struct uart_log log = read_text(text, bytes);

	assert_int_equal(log.ended, ended);
	assert_int_equal(log.damaged, damaged);
	assert_int_equal(log.noise, noise);
	uart_fini(&log);
}

static void takes_what_is_complete(void **state)
{
	static const char nul[] = "\0\0" END "\0";

	(void)state;
	expect("", 0, false, 0, 0);
	expect(END, strlen(END), true, 0, 0);
	expect(END "\r\n", strlen(END) + 2, true, 0, 0);
	expect("x " END, strlen(END) + 2, true, 0, 1);
	expect(END " y", strlen(END) + 2, true, 0, 1);
	expect(RUN END, strlen(RUN END), true, 0, 0);
	expect(nul, sizeof(nul) - 1, true, 0, 2);
}

static void names_what_is_not(void **state)
{
	static const char begun[] = "{\"t\":\"rec" END;
	char flipped[] = END;

	(void)state;
	for (size_t i = 0; i < strlen(END); i++) {
		struct uart_log log;

		flipped[i] ^= 1;
		log = read_text(flipped, strlen(END));
		assert_false(log.ended);
		assert_true(log.damaged + log.noise > 0);
		uart_fini(&log);
		flipped[i] ^= 1;
	}
	for (size_t n = 1; n < strlen(END); n++)
		expect(END, n, false, n >= 6, n < 6);
	expect(begun, strlen(begun), true, 1, 0);
}

static void bounds_its_work(void **state)
{
	const size_t bytes = 3u << 20;
	char *text = malloc(bytes);
	struct uart_log log;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < bytes; i++)
		text[i] = "{\"t\":\""[i % 6];
	log = read_text(text, bytes);
	assert_int_equal(log.lines, 1);
	uart_fini(&log);
	for (size_t i = 0; i < bytes; i++)
		text[i] = ",\"crc32\":\""[i % 10];
	log = read_text(text, bytes);
	assert_true(log.damaged > 0);
	uart_fini(&log);
	free(text);
}

static void tells_progress(void **state)
{
	unsigned run = 0, runs = 0;

	(void)state;
	assert_true(uart_progress(RUN "\r\n", strlen(RUN) + 2, &run, &runs));
	assert_int_equal(run, 1);
	assert_int_equal(runs, 3);
	assert_false(uart_progress(END, strlen(END), &run, &runs));
	assert_false(uart_progress(RUN, strlen(RUN) - 1, &run, &runs));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_what_is_complete),
		cmocka_unit_test(names_what_is_not),
		cmocka_unit_test(bounds_its_work),
		cmocka_unit_test(tells_progress),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
