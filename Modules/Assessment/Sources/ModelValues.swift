public import AssessmentModel
public import FeatureKit

// The values of the model that are stored as text.
extension Quiz.Results: SQLConvertible {}
extension QuizAttempt.Ending: SQLConvertible {}
