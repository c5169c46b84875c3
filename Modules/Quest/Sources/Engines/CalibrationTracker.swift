import Foundation

/// Determines the calibration sessions: the first sessions of a routine, in which a child's times are still unknown.
enum CalibrationTracker {
    /// The number of calibration sessions of a routine.
    static let sessions = 3

    /// Whether the next session is for calibration.
    ///
    /// - Parameter completedSessionCount: the number of completed sessions of the routine.
    static func isCalibrationSession(completedSessionCount: Int) -> Bool { completedSessionCount < sessions }

    /// Returns how many calibration sessions are left.
    static func calibrationSessionsRemaining(completedSessionCount: Int) -> Int {
        max(0, sessions - completedSessionCount)
    }
}
