import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import FeatureRuntime

@Suite("Open event streams")
struct ChangeHubTests {
    func makeChange(_ seq: Int64) -> LoggedChange {
        LoggedChange(
            seq: seq, at: Date(timeIntervalSince1970: 0), actorId: nil,
            change: Change("a.b", topics: [], audience: [.school]))
    }

    @Test("a stream receives the changes of its school only, in order")
    func order() async {
        let hub = ChangeHub()
        let (oak, elm) = (UUID(), UUID())
        var streams = [hub.changes(of: oak), hub.changes(of: oak)].map { $0.makeAsyncIterator() }
        hub.publish([makeChange(9)], of: elm)
        hub.publish([makeChange(1), makeChange(2)], of: oak)
        hub.publish([makeChange(3)], of: oak)
        for index in streams.indices {
            for seq in 1...3 { #expect(await streams[index].next()?.seq == Int64(seq)) }
        }
    }

    @Test("a stream that does not keep up ends after its buffered changes, and other streams continue")
    func slow() async {
        let hub = ChangeHub()
        let school = UUID()
        let slow = hub.changes(of: school)
        var quick = hub.changes(of: school).makeAsyncIterator()
        for seq in 1...Int64(ChangeHub.bufferLimit + 10) {
            hub.publish([makeChange(seq)], of: school)
            #expect(await quick.next()?.seq == seq)
        }
        var received: [Int64] = []
        for await change in slow { received.append(change.seq) }
        #expect(received == Array(1...Int64(ChangeHub.bufferLimit)))
        // It connects again and receives what is new.
        var again = hub.changes(of: school).makeAsyncIterator()
        hub.publish([makeChange(1000)], of: school)
        #expect(await again.next()?.seq == 1000)
    }

    @Test("a stream is not woken by changes for others, and loses nothing while its audiences change")
    func filter() async {
        func change(_ seq: Int64, _ audience: Audience, reshapes: Bool = false) -> LoggedChange {
            LoggedChange(
                seq: seq, at: Date(timeIntervalSince1970: 0), actorId: nil,
                change: Change("a.b", topics: [], audience: [audience], reshapesAudience: reshapes))
        }
        let (hub, school, filter) = (ChangeHub(), UUID(), AudienceFilter())
        let (maple, birch) = (Audience("classroom:maple"), Audience("classroom:birch"))
        var stream = hub.changes(of: school, for: filter).makeAsyncIterator()
        hub.publish([change(1, birch)], of: school)
        filter.setAudiences([maple])
        hub.publish([change(2, birch), change(3, maple), change(4, .school)], of: school)
        hub.publish([change(5, .school, reshapes: true)], of: school)
        // Right after the new right, before the reader knows of it.
        hub.publish([change(6, birch)], of: school)
        hub.publish([change(7, maple, reshapes: true), change(8, birch)], of: school)
        var (seen, given): ([Int64], LoggedChange?) = ([], await stream.next())
        while let logged = given {
            seen.append(logged.seq)
            filter.settle(logged, logged.seq < 7 ? [maple] : [maple, birch])
            if logged.seq == 5 { hub.publish([change(9, birch)], of: school) }
            if logged.seq == 8 { hub.publish([change(10, .school), change(11, birch)], of: school) }
            given = logged.seq == 11 ? nil : await stream.next()
        }
        #expect(seen == [1, 3, 5, 6, 7, 8, 9, 11])
    }

    @Test("streams end when the hub closes, and new ones end at once")
    func close() async {
        let hub = ChangeHub()
        let school = UUID()
        var open = hub.changes(of: school).makeAsyncIterator()
        hub.publish([makeChange(1)], of: school)
        hub.close()
        hub.publish([makeChange(2)], of: school)
        #expect(await open.next()?.seq == 1)
        #expect(await open.next() == nil)
        var late = hub.changes(of: school).makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("streams can be added and removed while others publish")
    func storm() async {
        let hub = ChangeHub()
        let school = UUID()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    for seq in 0..<50 { hub.publish([makeChange(Int64(seq))], of: school) }
                }
                group.addTask {
                    for _ in 0..<20 {
                        let reader = Task { for await _ in hub.changes(of: school) { break } }
                        reader.cancel()
                        await reader.value
                    }
                }
            }
        }
        hub.close()
        var after = hub.changes(of: school).makeAsyncIterator()
        #expect(await after.next() == nil, "a closed hub takes no reader")
    }
}
