import Client
import Domain
import Foundation
import ServerProcess
import TestKit
import Testing

@testable import AppShell

/// Roll calls in the app's own views, with the real client and the real server behind a network that breaks.
@Suite("An evening of the roll call with the real server", .serialized)
@MainActor
struct RollCallEveningTests {
    private struct Record: Decodable {
        struct Entry: Decodable {
            let studentId: UUID
            let status: String
            let reason: String?
        }
        struct Closing: Decodable { let by: UUID }
        let entries: [Entry]
        let closing: Closing?

        func statuses(_ residents: [String: UUID]) -> [String: String] {
            residents.compactMapValues { id in entries.first { $0.studentId == id }?.status }
        }
    }
    private struct Change: Decodable { let kind: String }

    /// The kinds of the changes of roll calls, the oldest first.
    private func changes(_ school: RealSchool) async throws -> [String] {
        try await school.read(RealSchool.Listing<Change>.self, "/audit", ["limit": "200"]).items.map(\.kind)
            .filter { $0.hasPrefix("residence.rollCall") }.reversed()
    }

    /// Opens the roll call on a device with a network.
    private func open(_ path: String, on device: AppDevice, _ person: SignedIn) async throws {
        person.navigator.open(path, isReplacing: false)
        device.show()
        await device.appear()
        try await device.wait("the roll call is drawn") { device.has("RollCallView") }
    }

    @Test(
        "a whole evening without a network survives the end of the app, and arrives once and in its order",
        .timeLimit(.minutes(2)))
    func evening() async throws {
        let folder = try TemporaryFolder()
        let school = try await RealSchool(in: folder)
        defer { school.end() }
        let (pgId, residents) = try await school.residence([["Bea", "Cem"], ["Dia"]])
        let path = "/residences/\(pgId.text)/roll-call"
        let proxy = try FaultyProxy(to: school.server.port)
        defer { proxy.close() }

        let first = try AppDevice(folder: folder, at: try proxy.url)
        let before = try await first.signIn()
        try await open(path, on: first, before)
        proxy.set(.cut)
        try first.press("Room 101, All here")
        try await first.wait("the marks wait") { before.store.syncSummary.unsent == 1 }
        try first.press("Bea Ruiz: Here. Change")
        try first.press("Bea Ruiz, Out")
        try first.enter("Choir", into: "Reason")
        try first.press("Parent")
        try first.press("Save")
        try await first.wait("the correction waits") { before.store.syncSummary.unsent == 2 }
        before.store.stop()

        // The app ended, and is started again without a network.
        let device = try AppDevice(folder: folder, at: try proxy.url)
        await device.start()
        let person = try #require(device.session.signedIn)
        defer { person.store.stop() }
        try await open(path, on: device, person)
        #expect(device.texts.contains("2 of 3 accounted for"), "\(device.texts)")
        try device.press("Room 101")
        #expect(device.texts.contains("Choir. Said by Parent"))
        try device.press("Next, Room 102")
        try device.press("Dia Ruiz, Here")
        try await device.wait("everyone is accounted for") { device.texts.contains("3 of 3 accounted for") }
        try device.press("Close roll call")
        try await device.wait("the closing waits") { person.store.syncSummary.unsent == 4 }
        #expect(device.texts.contains("Closing is sent when there is a network"))

        proxy.set(.mixed)
        person.store.retry()
        try await device.wait("everything was sent") { person.store.syncSummary.unsent == 0 }
        proxy.set(.none)
        #expect(person.store.notices.isEmpty)
        let record = try await school.read(Record.self, path)
        #expect(record.closing != nil)
        #expect(record.statuses(residents) == ["Bea": "out", "Cem": "here", "Dia": "here"])
        #expect(record.entries.first { $0.studentId == residents["Bea"] }?.reason == "Choir")
        #expect(
            try await changes(school) == Array(repeating: "residence.rollCallNoted", count: 3) + [
                "residence.rollCallClosed"
            ])
        await device.appear()
        #expect(!device.has("RollCallView"), "the page of the closed roll call took its place")
    }

    @Test(
        "of two wardens the second sees the marks of the first, and is told who closed the roll call, in French",
        .timeLimit(.minutes(2)))
    func twoWardens() async throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        let school = try await RealSchool(in: folder)
        defer { school.end() }
        let (pgId, residents) = try await school.residence([["Bea", "Cem"]])
        let path = "/residences/\(pgId.text)/roll-call"
        try await school.add("Ben Ito", email: "ben@maple.example", role: "admin", in: folder)
        let proxy = try FaultyProxy(to: school.server.port)
        defer { proxy.close() }

        let ana = try AppDevice(folder: folder, language: .french, at: try proxy.url)
        let anas = try await ana.signIn()
        defer { anas.store.stop() }
        try await open(path, on: ana, anas)
        #expect(ana.texts.contains("Vérifiés\u{A0}: 0 sur 2") && ana.texts.contains("Pas encore"))
        let ben = try AppDevice(folder: other, at: try school.server.url)
        let bens = try await ben.signIn("ben@maple.example")
        defer { bens.store.stop() }
        try await open(path, on: ben, bens)
        try ben.press("Bea Ruiz, Here")
        try await ben.wait("the server has it") { bens.store.syncSummary.unsent == 0 }
        try await ana.wait("the server's event makes the page of the other stale") {
            anas.store.pageStore.state.version(of: ["residence:\(pgId.text)"]) > 0
        }
        await ana.appear()
        try await ana.wait("the mark of the other is shown") { ana.texts.contains("Vérifiés\u{A0}: 1 sur 2") }

        proxy.set(.cut)
        try ana.press("Cem Ruiz, Présent")
        try await ana.wait("the mark waits") { anas.store.syncSummary.unsent == 1 }
        #expect(ana.texts.contains("Vérifiés\u{A0}: 2 sur 2"))
        await ben.appear()
        try ben.press("Cem Ruiz, Out")
        try ben.enter("Choir", into: "Reason")
        try ben.enter("Parent", into: "Said by")
        try ben.press("Save")
        try await ben.wait("everyone is accounted for") {
            ben.texts.contains("2 of 2 accounted for") && bens.store.syncSummary.unsent == 0
        }
        try ben.press("Close roll call")
        try await ben.wait("it is closed") {
            bens.store.syncSummary.unsent == 0 && ben.texts.contains { $0.contains("closed") }
        }

        proxy.set(.none)
        anas.store.retry()
        try await ana.wait("the refusal is told with the name of the other") {
            ana.texts.contains { $0.contains("Ben Ito") && $0.contains("clos") }
        }
        #expect(anas.store.syncSummary.unsent == 0 && anas.store.notices.count == 1)
        let record = try await school.read(Record.self, path)
        #expect(record.statuses(residents) == ["Bea": "here", "Cem": "out"])
        await ana.appear()
        #expect(!ana.has("RollCallView"))
    }
}
