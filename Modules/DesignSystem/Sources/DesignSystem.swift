public struct Screen: Sendable { public init() {} }
