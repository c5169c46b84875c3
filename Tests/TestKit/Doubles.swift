public import Domain
public import FeatureKit
public import Foundation
import Synchronization
public import Testing

/// A clock that stands still until a test moves it.
public final class FixedClock: WallClock {
    private let instant: Mutex<Date>

    /// Starts on a Monday morning in the middle of a school year by default.
    public init(_ instant: Date = Date(timeIntervalSince1970: 1_793_631_600)) {
        self.instant = Mutex(instant)
    }

    public var now: Date { instant.withLock { $0 } }
    public func set(_ instant: Date) { self.instant.withLock { $0 = instant } }
    public func advance(by seconds: TimeInterval) { instant.withLock { $0 += seconds } }
}

/// A generator of consecutive ids and secrets, the same in every run. Ids are unique, sorted and of version 7.
public final class CountingIDs: IDGenerator {
    private let count = Mutex<UInt64>(0)

    public init() {}

    private func next() -> UInt64 {
        count.withLock { count in
            count += 1
            return count
        }
    }

    public func id(at instant: Date) -> UUID {
        let milliseconds = UInt64(max(0, instant.timeIntervalSince1970 * 1000))
        let number = next()
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        return UUID(
            uuid: (
                byte(milliseconds, 40), byte(milliseconds, 32), byte(milliseconds, 24), byte(milliseconds, 16),
                byte(milliseconds, 8), byte(milliseconds, 0), 0x70, 0, 0x80, 0, byte(number, 40),
                byte(number, 32), byte(number, 24), byte(number, 16), byte(number, 8), byte(number, 0)
            ))
    }

    public func randomBytes(_ count: Int) -> [UInt8] {
        var numbers = SeededGenerator(seed: next() &* 0x9E37_79B9_7F4A_7C15)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
    }
}

/// A fast hasher without any protection, for tests only.
public struct FastHasher: SecretHasher {
    public init() {}

    public func hash(password: String) async throws -> String { "fast$\(fingerprint("password \(password)"))" }

    public func verify(password: String, against hash: String) async throws -> Bool {
        try await self.hash(password: password) == hash
    }

    public func fingerprint(_ token: String) -> String {
        let sums: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4].map { seed in
            token.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        return sums.map { String($0, radix: 16) }.joined(separator: "-")
    }
}

/// A call that a test did not expect.
public struct UnexpectedCall: Error, CustomStringConvertible {
    public let description: String
}

/// Fails the running test and returns the error to throw, for methods of a fake that should not be called.
///
/// Example: `func send(_ mail: Mail) async throws { throw unexpectedCall() }`.
public func unexpectedCall(
    _ member: String = #function, sourceLocation: SourceLocation = #_sourceLocation
) -> UnexpectedCall {
    let call = UnexpectedCall(description: "the test did not expect a call of \(member)")
    Issue.record(call, sourceLocation: sourceLocation)
    return call
}
