import Domain
import FeatureKit
import Testing

@testable import Practice
