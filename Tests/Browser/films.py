"""Creates a minimal video: a WebM of one picture per second (RFC 8794 and RFC 9559)."""
import base64
import struct

#: A key frame of VP8: 16 x 16, in one color, as Chromium writes it into a WebP.
PICTURE = base64.b64decode("cAEAnQEqEAAQAALATCWgAnQBQAAA/qShzf/xvH+S7+3fZQAA")


def _part(name: str, content: bytes) -> bytes:
    # Sizes have eight bytes, so that the length of a part does not depend on its content.
    return bytes.fromhex(name) + b"\x01" + len(content).to_bytes(7, "big") + content


def _number(name: str, number: int) -> bytes:
    return _part(name, number.to_bytes(8, "big"))


def webm(seconds: int = 60) -> bytes:
    """Every second can be sought: each is a cluster with a cue."""
    head = _part(
        "1A45DFA3", _number("4286", 1) + _number("42F7", 1) + _number("42F2", 4) + _number("42F3", 8)
        + _part("4282", b"webm") + _number("4287", 2) + _number("4285", 2))
    about = _part(
        "1549A966", _number("2AD7B1", 1_000_000) + _part("4489", struct.pack(">d", seconds * 1000))
        + _part("4D80", b"PinkTower") + _part("5741", b"PinkTower"))
    tracks = _part("1654AE6B", _part(
        "AE", _number("D7", 1) + _number("73C5", 1) + _number("83", 1) + _part("86", b"V_VP8")
        + _part("E0", _number("B0", 16) + _number("BA", 16))))
    clusters = [
        _part("1F43B675", _number("E7", second * 1000) + _part("A3", b"\x81\x00\x00\x80" + PICTURE))
        for second in range(seconds)]

    def cues(first: int) -> bytes:
        return _part("1C53BB6B", b"".join(
            _part("BB", _number("B3", second * 1000)
                  + _part("B7", _number("F7", 1) + _number("F1", first + second * len(clusters[0]))))
            for second in range(seconds)))

    before = len(about) + len(tracks) + len(cues(0))
    return head + _part("18538067", about + tracks + cues(before) + b"".join(clusters))
