/* SPDX-License-Identifier: MIT */
/*
 * snprintf and vsnprintf, with the conversions that the image's sources use
 * (include/stdio.h). Another conversion traps.
 */
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct out {
	char *text;
	size_t room, used;
};

/* The part of a conversion between % and the letter. */
struct spec {
	bool zeros;
	unsigned width, longs;
	int precision;		/* -1: none */
};

static void put(struct out *o, char c)
{
	if (o->used + 1 < o->room)
		o->text[o->used] = c;
	o->used++;
}

static void put_text(struct out *o, const struct spec *spec, const char *text)
{
	size_t most = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;

	for (; most && *text; most--)
		put(o, *text++);
}

static void put_number(struct out *o, const struct spec *spec, uint64_t value,
		       unsigned base, bool negative)
{
	char digits[24];
	unsigned n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	for (unsigned i = n + negative; !spec->zeros && i < spec->width; i++)
		put(o, ' ');
	if (negative)
		put(o, '-');
	for (unsigned i = n + negative; spec->zeros && i < spec->width; i++)
		put(o, '0');
	while (n)
		put(o, digits[--n]);
}

static void put_real(struct out *o, double value)
{
	const struct spec plain = { .precision = -1 };
	uint64_t millionths;
	unsigned places = 6;

	millionths = (uint64_t)((value < 0 ? -value : value) * 1e6 + 0.5);
	put_number(o, &plain, millionths / 1000000, 10, value < 0);
	millionths %= 1000000;
	if (!millionths)
		return;
	put(o, '.');
	for (; millionths % 10 == 0; places--)
		millionths /= 10;
	put_number(o, &(struct spec){ .zeros = true, .width = places },
		   millionths, 10, false);
}

static const char *read_spec(struct spec *spec, const char *f)
{
	*spec = (struct spec){ .precision = -1 };
	for (; *f == '0'; f++)
		spec->zeros = true;
	for (; *f >= '0' && *f <= '9'; f++)
		spec->width = spec->width * 10 + (unsigned)(*f - '0');
	if (*f == '.')
		for (spec->precision = 0, f++; *f >= '0' && *f <= '9'; f++)
			spec->precision = spec->precision * 10 + (*f - '0');
	for (; *f == 'l'; f++)
		spec->longs++;
	return f;
}

int vsnprintf(char *out, size_t room, const char *f, va_list args)
{
	struct out o = { out, room, 0 };
	struct spec spec;
	int64_t value;

	for (; *f; f++) {
		if (*f != '%') {
			put(&o, *f);
			continue;
		}
		f = read_spec(&spec, f + 1);
		switch (*f) {
		case 's':
			put_text(&o, &spec, va_arg(args, const char *));
			break;
		case 'd':
			value = spec.longs ? va_arg(args, int64_t) :
					     va_arg(args, int);
			put_number(&o, &spec, value < 0 ? -(uint64_t)value :
				   (uint64_t)value, 10, value < 0);
			break;
		case 'u':
		case 'x':
			put_number(&o, &spec, spec.longs ?
				   va_arg(args, uint64_t) :
				   va_arg(args, unsigned),
				   *f == 'u' ? 10 : 16, false);
			break;
		case 'g':
			put_real(&o, va_arg(args, double));
			break;
		case '%':
			put(&o, '%');
			break;
		default:	/* a conversion that stdio.h does not list */
			__builtin_trap();
		}
	}
	if (room)
		out[o.used < room ? o.used : room - 1] = '\0';
	return (int)o.used;
}

int snprintf(char *out, size_t room, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(out, room, format, args);
	va_end(args);
	return n;
}
