import Foundation

/// Determines the calibration sessions: the first sessions of a routine, in which a child's times are still unknown.
public enum CalibrationTracker {
    /// The number of calibration sessions of a routine.
    public static let sessions = 3

    /// Whether the next session is for calibration.
    ///
    /// - Parameter completedSessionCount: the number of completed sessions of the routine.
    public static func isCalibrationSession(completedSessionCount: Int) -> Bool { completedSessionCount < sessions }

    /// Returns how many calibration sessions are left.
    public static func calibrationSessionsRemaining(completedSessionCount: Int) -> Int {
        max(0, sessions - completedSessionCount)
    }
}
