#include <string.h>
#include <zlib.h>

/* deflateInit2 is a macro, which Swift cannot call. 16 + 15 asks for a gzip wrapper and the largest window. */
static inline int pt_deflate_init(z_stream *stream, int level) {
    memset(stream, 0, sizeof *stream);
    return deflateInit2(stream, level, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY);
}
