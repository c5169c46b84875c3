import DesignSystem
import FeatureKit
import Foundation

extension Measurements {
    /// Measures what a native app does with the Students page of 30 after a change: it reads the JSON and finds the rows
    /// that differ from those of the page before.
    func screens(_ data: URL, _ sample: SampleSchool) async throws {
        let server = try ServerProcess.pinktower(data: data)
        defer { server.stop() }
        try await server.ready()
        let session = try await Session.signIn(server, sample)
        let path = "/classrooms/\(sample.classroomId)"
        let json = try await session.get(path, accept: ScreenDocument.mediaType, isPacked: false)
        let html = try await session.get(path, accept: "text/html", isPacked: true)
        let packed = try await session.get(path, accept: ScreenDocument.mediaType, isPacked: true)
        let before = try JSON.decode(ScreenDocument.self, from: json)
        let clock = ContinuousClock()
        let times = try (0..<50).map { _ in
            try clock.measure {
                let after = try JSON.decode(ScreenDocument.self, from: json)
                let changed = zip(before.screen.body, after.screen.body).filter { $0 != $1 }
                guard changed.isEmpty else { throw CocoaError(.coderInvalidValue) }
            } / .milliseconds(1)
        }.sorted()
        Report.figure(
            "screen of a Students page of 30: decoded and compared, median", times[25], "ms", bound: "<= 5 ms",
            holds: times[25] <= 5)
        let ratio = Double(packed.count) / Double(html.count)
        Report.figure(
            "  its JSON against the HTML, both compressed", ratio, "times", bound: "<= 1.5", holds: ratio <= 1.5)
    }
}
