public import FeatureKit

/// A substitute for an unpacker that returns the same answer for every archive. Without an answer, a call stops the
/// test.
public struct FixedUnpacking: Unpacking {
    private let answer: Result<[UnpackedFile], UnpackingFault>?

    public init(_ answer: Result<[UnpackedFile], UnpackingFault>? = nil) { self.answer = answer }

    public func unzip(_ bytes: [UInt8], limits: UnpackingLimits) throws(UnpackingFault) -> [UnpackedFile] {
        guard let answer else { preconditionFailure("This test expects no archive.") }
        return try answer.get()
    }
}
