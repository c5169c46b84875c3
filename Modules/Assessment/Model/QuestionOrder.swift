import Foundation

/// The order of questions and options in an attempt.
///
/// The order follows from the attempt's seed and the ids alone. A question that is removed therefore moves no other
/// one, and the same attempt has the same order on every device.
public enum QuestionOrder {
    /// Returns the questions in the order of an attempt.
    public static func questions(_ questions: [Question], seed: Int64, shuffles: Bool, options: Bool) -> [Question]
    {
        let ordered = shuffles ? shuffled(questions, seed: seed) : questions
        guard options else { return ordered }
        return ordered.map { question in
            guard question.kind == .multipleChoice else { return question }
            var question = question
            question.options = shuffled(question.options, seed: seed)
            return question
        }
    }

    private static func shuffled<Item: Identifiable>(_ items: [Item], seed: Int64) -> [Item] where Item.ID == UUID {
        items.map { (mixed($0.id, seed), $0) }.sorted { ($0.0, $0.1.id.uuidString) < ($1.0, $1.1.id.uuidString) }
            .map(\.1)
    }

    /// Returns a number that looks random, from an id and a seed (the finalizer of SplitMix64).
    private static func mixed(_ id: UUID, _ seed: Int64) -> UInt64 {
        var bits = UInt64(bitPattern: seed)
        withUnsafeBytes(of: id.uuid) { bytes in
            for half in bytes.chunks(of: 8) {
                bits ^= half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                bits &+= 0x9E37_79B9_7F4A_7C15
                bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
                bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
                bits ^= bits >> 31
            }
        }
        return bits
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func chunks(of size: Int) -> [Slice<UnsafeRawBufferPointer>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
