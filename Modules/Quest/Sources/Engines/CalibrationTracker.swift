import Foundation

/// The first sessions of a routine, in which the game is still learning how long its tasks take a child.
enum CalibrationTracker {
    static let sessions = 3

    /// - Parameter completedSessionCount: how many sessions of this routine came to their end before.
    static func isCalibrationSession(completedSessionCount: Int) -> Bool { completedSessionCount < sessions }

    static func calibrationSessionsRemaining(completedSessionCount: Int) -> Int {
        max(0, sessions - completedSessionCount)
    }
}
