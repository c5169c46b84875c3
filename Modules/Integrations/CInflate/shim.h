#include <string.h>
#include <zlib.h>

/* inflateInit2 is a macro, which Swift cannot call. -15 is a raw stream without a wrapper, as a ZIP file holds it. */
static inline int pt_inflate_init(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, -15);
}
