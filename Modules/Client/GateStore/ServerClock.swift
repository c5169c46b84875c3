public import Domain
public import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The clocks of a device: one that can be set, and one that only counts.
public struct DeviceClocks: Sendable {
    /// Returns the device's time, which may be wrong.
    public var wall: @Sendable () -> Date
    /// Returns the seconds since the device started, including those in which it slept.
    public var uptime: @Sendable () -> TimeInterval
    /// The id of this start of the device, to which `uptime` belongs; `nil` if the system has none.
    public var boot: String?

    public init(
        wall: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> TimeInterval, boot: String?
    ) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }

    /// The clocks of this system.
    public static var system: DeviceClocks {
        DeviceClocks(wall: { Date() }, uptime: systemUptime, boot: systemBoot())
    }

    private static func systemUptime() -> TimeInterval {
        var time = timespec()
        #if os(Linux)
            clock_gettime(CLOCK_BOOTTIME, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }

    private static func systemBoot() -> String? {
        // Only Linux has the file. Without it the difference of the clocks counts after a restart.
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }
}

/// The server's time on a device whose clock may be wrong or set at any moment (decision 41).
///
/// Once the server has told its time, the device counts on with the clock that cannot be set, also after a restart of the
/// program. After a restart of the device, the noted difference to its other clock counts until the server is reached.
public final class ServerClock: WallClock {
    /// A time on the counting clock, from which the server's time can be computed later.
    struct Reading: Codable, Sendable, Hashable {
        let boot: String
        let uptime: TimeInterval
    }

    /// The server's time at a reading of the device's clocks.
    struct Anchor: Codable, Sendable, Hashable {
        let server: Date
        let wall: Date
        let uptime: TimeInterval
        let boot: String?
    }

    private struct State {
        var anchor: Anchor
        /// Whether the server told its time since the device started.
        var isSure = false
        /// The anchor that was written to the file last.
        var noted: Anchor?
    }

    /// The seconds after which an anchor is noted again, though nothing has changed, for the next start of the device.
    static let notingInterval: TimeInterval = 3600

    private let device: DeviceClocks
    private let state: Mutex<State>

    /// Creates a clock that shows the device's time until the server's time is known.
    public init(_ device: DeviceClocks = .system) {
        self.device = device
        let wall = device.wall()
        state = Mutex(
            State(anchor: Anchor(server: wall, wall: wall, uptime: device.uptime(), boot: device.boot)))
    }

    /// The server's time, as far as it is known.
    public var now: Date { now(state.withLock { $0.anchor }) }

    private func now(_ anchor: Anchor) -> Date {
        anchor.server.addingTimeInterval(device.uptime() - anchor.uptime)
    }

    /// The seconds since the device started.
    var uptime: TimeInterval { device.uptime() }

    /// Returns the reading of the counting clock for a record whose time is not sure; `nil` while the time is sure.
    var reading: Reading? {
        guard let boot = device.boot, !state.withLock({ $0.isSure }) else { return nil }
        return Reading(boot: boot, uptime: device.uptime())
    }

    /// Returns the server's time at an earlier reading; `nil` if the time is not sure or the device was restarted since.
    func time(of reading: Reading) -> Date? {
        let state = state.withLock { $0 }
        guard state.isSure, reading.boot == state.anchor.boot else { return nil }
        return state.anchor.server.addingTimeInterval(reading.uptime - state.anchor.uptime)
    }

    /// Continues from the anchor that an earlier run of the program noted.
    ///
    /// - Parameter seen: The latest time of the server that the file has. Time does not go back behind it.
    func restore(_ noted: Anchor?, seen: Date?) {
        let (wall, uptime) = (device.wall(), device.uptime())
        state.withLock { state in
            guard !state.isSure else { return }
            if let noted, noted.boot != nil, noted.boot == device.boot, uptime >= noted.uptime {
                state = State(anchor: noted, isSure: true, noted: noted)
                return
            }
            let difference = noted.map { $0.server.timeIntervalSince($0.wall) } ?? 0
            let times = [wall.addingTimeInterval(difference), noted?.server, seen].compactMap { $0 }
            state.anchor = Anchor(
                server: times.max() ?? wall, wall: wall, uptime: uptime, boot: device.boot)
            state.noted = noted
        }
    }

    /// Takes the time that the server has just told, in whole seconds.
    ///
    /// A clock that puts this time between question and answer is right as far as can be told. To set it by the answer
    /// would set it back, and two quick passages could change their order.
    ///
    /// - Parameter asked: The time of this clock at which the server was asked.
    /// - Returns: The anchor to note, or `nil` if the noted one gives the same time.
    func synchronize(to told: Date, asked: Date) -> Anchor? {
        let (wall, uptime) = (device.wall(), device.uptime())
        return state.withLock { state in
            let now = now(state.anchor)
            let agrees = state.isSure && asked < told.addingTimeInterval(1) && told <= now
            let server = agrees ? now : told
            let anchor = Anchor(server: server, wall: wall, uptime: uptime, boot: device.boot)
            state.anchor = anchor
            state.isSure = true
            if let noted = state.noted, noted.boot == anchor.boot,
                abs(noted.server.addingTimeInterval(anchor.uptime - noted.uptime).timeIntervalSince(server)) < 1,
                abs(noted.server.timeIntervalSince(noted.wall) - server.timeIntervalSince(anchor.wall)) < 1,
                anchor.uptime - noted.uptime < Self.notingInterval
            {
                return nil
            }
            state.noted = anchor
            return anchor
        }
    }
}
