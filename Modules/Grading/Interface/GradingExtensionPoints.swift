public import FeatureKit

extension PageSubject {
    /// The report card of one student, on which other feature blocks show sections.
    public static let reportCard = PageSubject("reportCard")
}
