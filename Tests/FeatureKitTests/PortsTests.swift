import Domain
import Foundation
import TestKit
import Testing

@testable import FeatureKit

@Suite("Ids and secrets")
struct PortsTests {
    @Test("a token has 256 bits, written in an alphabet for URLs")
    func token() {
        let tokens = (0..<100).map { _ in SystemIDGenerator().token() }
        #expect(Set(tokens).count == 100)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(tokens.allSatisfy { $0.count == 43 && alphabet.isSuperset(of: $0) })
    }

    @Test("the ids of the test kit are version 7, sorted, and the same in every run")
    func counting() {
        let (first, second) = (CountingIDs(), CountingIDs())
        let now = FixedClock().now
        let ids = (0..<300).map { _ in first.id(at: now) }
        #expect(ids == (0..<300).map { _ in second.id(at: now) })
        #expect(ids.map(\.text).sorted() == ids.map(\.text))
        #expect(ids.allSatisfy { $0.uuid.6 >> 4 == 7 && $0.uuid.8 >> 6 == 0b10 })
        #expect(first.token() != first.token())
    }
}
