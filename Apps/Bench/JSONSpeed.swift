import FeatureKit
import Foundation

extension Measurements {
    /// The project's own JSON against Foundation's, on the same values in turns of one run (decision 25). Foundation spells
    /// ids in capitals, so its answers would need a second pass, which is not counted here.
    func json() throws {
        Report.line("JSON, a value each (ours, Foundation's)")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let answer = Answer(1)
        let page = Page(items: (0..<30).map(Answer.init), next: "30")
        let body = Data(
            #"{"studentId":"0190a1b2-0000-7000-8000-00000000abcd","status":"present","note":"à l’heure","day":"2026-11-25"}"#
                .utf8)
        try compare("an answer of five members", 100_000) {
            try JSON.encode(answer).count
        } theirs: {
            try encoder.encode(answer).count
        }
        try compare("a page of thirty such", 5_000) {
            try JSON.encode(page).count
        } theirs: {
            try encoder.encode(page).count
        }
        try compare("reading a command's body of four fields", 100_000) {
            try InputValue(json: body) == .null ? 0 : 1
        } theirs: {
            try JSONSerialization.jsonObject(with: body) is NSNull ? 0 : 1
        }
    }

    /// Prints the medians of nine turns, in microseconds.
    private func compare(
        _ name: String, _ count: Int, ours: () throws -> Int, theirs: () throws -> Int
    ) throws {
        func time(_ work: () throws -> Int) throws -> Double {
            let began = ContinuousClock.now
            // Every result is used, so that no call is left out.
            var bytes = 0
            for _ in 0..<count { bytes += try work() }
            precondition(bytes > 0)
            return began.duration(to: .now) / .microseconds(1) / Double(count)
        }
        var (own, foreign): ([Double], [Double]) = ([], [])
        for _ in 0..<9 {
            own.append(try time(ours))
            foreign.append(try time(theirs))
        }
        let (mine, other) = (own.sorted()[4], foreign.sorted()[4])
        Report.figure(
            "  JSON: \(name), of \(other.shown) us", mine, "us", bound: "<= Foundation's", holds: mine <= other)
    }
}

private struct Answer: Codable {
    let id: UUID
    let at: Date
    let name: String
    let isPresent: Bool
    let count: Int

    init(_ number: Int) {
        (id, at, name) = (UUID(), Date(timeIntervalSince1970: 1_795_000_000), "Chloé Côté \(number)")
        (isPresent, count) = (number.isMultiple(of: 2), number)
    }
}
