import Foundation

/// A pseudo-terminal in the place of a serial reader: what is written to one end is read at the other.
public final class PseudoTerminal: Sendable {
    private let descriptor: Int32
    /// The path of the end that is opened as a reader.
    public let path: String

    /// Opens a pseudo-terminal; `nil` if the system has none.
    public init?() {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h.
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &unlocked) == 0,
            ioctl(descriptor, 0x8004_5430, &number) == 0
        else { return nil }
        path = "/dev/pts/\(number)"
    }

    deinit { close(descriptor) }

    /// Writes what the reader sends.
    public func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
