// FeatureKit
