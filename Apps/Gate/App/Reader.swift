public import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Calls open(2) and read(2), whose names methods here have too.
private func openFile(_ path: String) -> Int32 { open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC) }
private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    read(descriptor, &buffer, buffer.count)
}

/// An event of a reader.
public enum ReaderEvent: Sendable, Hashable {
    /// The reader is there and is being read.
    case ready
    case code(String)
    /// The reader is not there. It is looked for each second.
    case missing
}

/// The reader of tags at a door.
public enum Reader: Sendable, Hashable {
    /// A USB reader: an input device that types (`/dev/input/...`), or a serial device (`/dev/ttyUSB0`).
    ///
    /// - Parameter baud: The speed of a serial device in bits per second.
    case device(String, baud: Int)
    /// Lines on the standard input.
    case standardInput

    /// The path of the device, for messages.
    public var name: String {
        switch self {
        case .device(let path, _): path
        case .standardInput: "stdin"
        }
    }

    /// The speeds of serial devices.
    public static let speeds: [Int: speed_t] = [
        1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
        19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200),
    ]

    /// Reads until the stream is no longer used. The stream of the standard input ends with it.
    public func events() -> AsyncStream<ReaderEvent> {
        let reader = self
        return AsyncStream { continuation in
            let isOver = Atomic(false)
            let box = Flag(isOver)
            continuation.onTermination = { _ in box.isOver.store(true, ordering: .relaxed) }
            // Reading blocks, which a thread of the pool must not do.
            Thread { reader.read(into: continuation, until: box) }.start()
        }
    }

    /// Whether a stream is no longer used.
    private final class Flag: Sendable {
        let isOver: Atomic<Bool>
        init(_ isOver: consuming Atomic<Bool>) { self.isOver = isOver }
    }

    private func read(into continuation: AsyncStream<ReaderEvent>.Continuation, until flag: Flag) {
        var wasThere = true
        while !flag.isOver.load(ordering: .relaxed) {
            guard let (descriptor, isKeyboard) = prepare() else {
                if wasThere { continuation.yield(.missing) }
                wasThere = false
                Thread.sleep(forTimeInterval: 1)
                continue
            }
            wasThere = true
            continuation.yield(.ready)
            Self.readAll(descriptor, isKeyboard: isKeyboard, into: continuation, until: flag)
            if self == .standardInput { break }
            close(descriptor)
        }
        continuation.finish()
    }

    /// Opens the device alone, so that key presses do not also reach the login of the console.
    private func prepare() -> (descriptor: Int32, isKeyboard: Bool)? {
        guard case .device(let path, let baud) = self else { return (STDIN_FILENO, false) }
        let descriptor = openFile(path)
        guard descriptor >= 0 else { return nil }
        var version: Int32 = 0
        // EVIOCGVERSION and EVIOCGRAB of linux/input.h.
        if ioctl(descriptor, 0x8004_4501, &version) == 0 {
            _ = ioctl(descriptor, 0x4004_4590, 1)
            return (descriptor, true)
        }
        var settings = termios()
        if tcgetattr(descriptor, &settings) == 0 {
            cfmakeraw(&settings)
            settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
            cfsetspeed(&settings, Self.speeds[baud] ?? speed_t(B9600))
            _ = tcsetattr(descriptor, TCSANOW, &settings)
        }
        return (descriptor, false)
    }

    private static func readAll(
        _ descriptor: Int32, isKeyboard: Bool, into continuation: AsyncStream<ReaderEvent>.Continuation,
        until flag: Flag
    ) {
        var (parser, keys) = (CodeParser(), KeyEvents())
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !flag.isOver.load(ordering: .relaxed) {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, 250) > 0 else { continue }
            let count = readBytes(descriptor, &buffer)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            let bytes = Array(buffer.prefix(count))
            let uptime = ProcessInfo.processInfo.systemUptime
            for code in parser.take(isKeyboard ? keys.take(bytes) : bytes, at: uptime) {
                continuation.yield(.code(code))
            }
        }
    }
}
