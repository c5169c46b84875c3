import Foundation
import Synchronization

/// Runs work on all processors.
enum Parallel {
    static func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ transform: @Sendable (Input) -> Output
    ) -> [Output] {
        let outputs = Mutex<[Int: Output]>([:])
        DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
            let output = transform(inputs[index])
            outputs.withLock { $0[index] = output }
        }
        return outputs.withLock { found in inputs.indices.compactMap { found[$0] } }
    }
}
