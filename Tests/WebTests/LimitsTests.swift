import FeatureKit
import Testing

@testable import Web

@Suite("Limits of clients")
struct LimitsTests {
    @Test(
        "clients of one IPv6 /64 share a network, and each IPv4 address is its own",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2::1", "20010db800010002/64"), ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "20010db800010002/64"),
            ("fe80::1%eth0", "fe80000000000000/64"), ("::1", "0000000000000000/64"), ("local", "local"),
            ("not:an:address", "not:an:address"), ("", ""),
        ])
    func ends(_ address: String, _ end: String) { #expect(ClientNetwork.name(address) == end) }

    @Test("a connection counts until it ends")
    func connections() {
        var limits = ServerLimits()
        (limits.connections, limits.connectionsPerNetwork) = (3, 2)
        let count = ConnectionCount(limits)
        #expect(count.open("a") && count.open("a") && !count.open("a"))
        #expect(count.open("b") && !count.open("c"))
        count.close("a")
        #expect(count.open("c") && !count.open("a"))
        count.close("c")
        // Without networks only the total is limited.
        #expect(count.open(nil) && !count.open(nil))
    }

    @Test("a refused body costs nothing, and a finished one returns its cost")
    func bodies() throws {
        var limits = ServerLimits()
        (limits.memory, limits.memoryPerNetwork, limits.disk, limits.diskPerNetwork) = (150, 100, 1500, 1000)
        let budget = BodyBudget(limits)
        let (none, small) = (BodyBudget.Cost(), BodyBudget.Cost(memory: 80))
        let large = BodyBudget.Cost(memory: 90, disk: 900)
        func status(_ old: BodyBudget.Cost, _ new: BodyBudget.Cost, _ end: String) throws -> Int {
            do {
                try budget.replace(old, by: new, of: end)
                return 200
            } catch let problem as Problem {
                #expect(problem.retryAfter != nil)
                return problem.status
            }
        }
        #expect(try status(none, small, "a") == 200)
        #expect(try status(none, small, "a") == 429)
        #expect(try status(none, small, "b") == 503)
        #expect(budget.all == small)
        #expect(try status(small, large, "a") == 200, "it grows")
        #expect(try status(none, .init(disk: 700), "b") == 503)
        budget.release(large, of: "a")
        #expect(budget.all == none)
        #expect(try status(none, .init(disk: 700), "b") == 200)
    }

    @Test(
        "connections leave file descriptors for databases and files",
        arguments: [(64, 32, 8), (1024, 768, 192), (4096, 3072, 768), (65_536, 16_384, 2048), (16, 8, 4)])
    func descriptors(_ openFiles: Int, _ all: Int, _ perEnd: Int) {
        var limits = ServerLimits()
        limits.fit(openFiles: openFiles)
        #expect(limits.connections == all && limits.connectionsPerNetwork == perEnd)
    }
}
