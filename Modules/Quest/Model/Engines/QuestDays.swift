public import Foundation

/// The weekdays of quests.
public enum QuestDays {
    /// Returns the weekday of a moment in a time zone, as in ISO 8601: 1 is Monday.
    public static func weekday(of moment: Date, in timeZone: TimeZone) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        // Foundation counts from Sunday = 1.
        return (calendar.component(.weekday, from: moment) + 5) % 7 + 1
    }
}
