#include <gd.h>
#include <stdarg.h>

static inline void pt_gd_say_nothing(int priority, const char *format, va_list arguments) {
    (void)priority; (void)format; (void)arguments;
}

/* libgd would print what is wrong with a picture, and a message's arguments cannot be read from Swift. */
static inline void pt_gd_be_quiet(void) { gdSetErrorMethod(pt_gd_say_nothing); }
