import Foundation
import TestKit
import Testing

@testable import bench

/// What can be said of the benchmark without measuring: `make bench` itself is no test.
@Suite("The benchmark")
struct BenchTests {
    @Test(
        "the benchmark takes the number of people of the school, and reports requests/s, p50, p99 and memory",
        .requirement("BY-1.13.a"))
    func capacity() async throws {
        #expect(try Bench.measurements([])?.people == 300)
        let run = try #require(try Bench.measurements(["--people", "1200", "--only", "capacity"]))
        #expect(run.people == 1200 && run.only == "capacity")
        let nobody = try #require(try Bench.measurements(["--people", "0"]))
        await #expect(throws: (any Error).self) { try await nobody.run() }
        let found = Capacity(
            people: 1200, classes: 40, perSecond: 812.4, p50: 8.21, p99: 30.48, megabytes: 131.96)
        #expect(
            found.line
                == "School of 1200 people in 40 classes, 8 clients: 812 requests/s, p50 8.2 ms, p99 30.5 ms, "
                + "memory 132.0 MB")
    }

    @Test("a school of N people is a founder and children in classes of thirty")
    func people() async throws {
        let folder = try TemporaryFolder()
        let sample = try await SampleClasses.make(in: folder.url, people: 62)
        #expect(sample.classes.map(\.studentIds.count) == [30, 30, 1])
        let script = try String(contentsOf: sample.script(in: folder.url, token: "secret"), encoding: .utf8)
        #expect(sample.classes.allSatisfy { script.contains("\"\($0.classroomId)\"") })
        #expect(script.contains("Bearer secret"))
    }
}
