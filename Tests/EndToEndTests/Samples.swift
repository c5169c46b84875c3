import Domain
import FeatureKit
import Foundation

/// Inputs for all endpoints, from the ids of a sample school.
enum Samples {
    /// The id of the Pink Tower of the starter curriculum, the same in every school.
    static let materialId = "0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57"
    /// The id of its subject.
    static let subjectId = "0192b5a4-094e-7ec3-b936-a0b476e709dd"

    /// The limits of the letters in a school's own grading scale.
    static let cutOffs = [
        "aPlus": "98", "a": "94", "aMinus": "91", "bPlus": "88", "b": "84", "bMinus": "81", "cPlus": "78",
        "c": "74",
        "cMinus": "71", "dPlus": "68", "d": "64", "dMinus": "61",
    ]

    /// Returns a value for every field of the endpoint, with the ids of `sample`.
    static func fields(
        of input: [FieldReader.Specification], in sample: Tower.SampleSchool, onlyRequired: Bool = false
    ) -> [String: Any] {
        var fields: [String: Any] = [:]
        for field in input where field.isRequired || !onlyRequired { fields[field.name] = value(of: field, sample) }
        // No sample has the version of a content: a client may leave it out.
        if input.contains(where: { $0.name == "version" && $0.type == .text }) { fields["version"] = nil }
        return fields
    }

    static func value(of field: FieldReader.Specification, _ sample: Tower.SampleSchool) -> Any? {
        switch (field.type, field.name) {
        case (.id, "classroomId"): sample.classroomId
        case (.id, "studentId"): sample.studentId
        case (.id, "personId"): sample.memberId
        case (.id, "inviteId"): sample.inviteId
        case (.id, "organizationId"): sample.orgId
        case (.id, "observationId"): sample.observationId
        case (.id, "habitId"): sample.habitId
        case (.id, "workId"): sample.workId
        case (.id, "contactId"): sample.contactId
        case (.id, "playerId"), (.id, "player"): sample.playerId
        case (.id, "routineId"), (.id, "routine"): sample.routineId
        case (.id, "taskId"): sample.taskId
        case (.id, "conversationId"): sample.conversationId
        case (.id, "announcementId"): sample.announcementId
        case (.id, "messageId"): sample.messageId
        case (.id, "reportId"): sample.reportId
        case (.id, "courseId"): sample.courseId
        case (.id, "moduleId"): sample.moduleId
        case (.id, "lessonId"): sample.lessonId
        case (.id, "termId"): sample.termId
        case (.id, "itemId"): sample.gradedItemId
        case (.id, "assignmentId"): sample.assignmentId
        case (.text, "points"): "12"
        case (.text, "dueTime"), (.text, "opensTime"), (.text, "lateTime"): "18:00"
        case (.text, "link"): "https://films.example/water.mp4"
        case (.textList, "kinds"): ["text"]
        case (.textList, "fileKinds"): [String]()
        case (.textList, "hours"): ["24"]
        case (.id, "quizId"): sample.quizId
        case (.id, "questionId"): sample.questionId
        case (.id, "fileId"), (.id, "shareId"): sample.termId
        case (.number, "x"), (.number, "y"), (.number, "width"), (.number, "height"): 0.25
        case (.id, "pgId"): sample.residenceId
        case (.id, "roomId"): sample.roomId
        case (.id, "recordId"): sample.passageId
        case (.id, "mealId"): sample.mealId
        case (.id, "setId"): sample.setId
        case (.id, "cardId"): sample.cardId
        case (.idList, "courseIds"): [sample.courseId]
        case (.text, "lines"): "le pain, the bread"
        case (.id, "id"), (.id, "moveTo"): nil
        case (.text, "cutOff"), (.text, "breakfastTime"), (.text, "lunchTime"), (.text, "dinnerTime"): "18:00"
        case (.textList, "breakfastDiets"), (.textList, "lunchDiets"), (.textList, "dinnerDiets"): ["vegan"]
        case (.idList, "wardenIds"), (.idList, "kitchenIds"): [String]()
        case (.idList, "residentIds"): [sample.studentId]
        case (.text, "schoolNightCurfew"), (.text, "weekendCurfew"): "20:00"
        case (.text, "fromTime"), (.text, "toTime"), (.text, "time"), (.text, "opensTime"), (.text, "dueTime"):
            "18:00"
        // Near the present, because a leave is asked for at most a year ahead.
        case (.day, "fromDay"): Day(Date(), in: .gmt).adding(days: 2).description
        case (.day, "toDay"): Day(Date(), in: .gmt).adding(days: 4).description
        case (.text, "status"): "active"
        case (.text, "gift"): "What is half of a half? {=a quarter}"
        case (.integer, "after"): 0
        case (.id, "replyTo"), (.id, "teacherId"), (.id, "after"): nil
        case (.id, "before"): nil
        case (.id, "subjectTag"), (.id, "materialTag"), (.id, "appTag"): nil
        case (.id, _): sample.studentId
        case (.idList, "taggedStudentIds"): [String]()
        case (.idList, "classroomIds"): [sample.classroomId]
        case (.idList, "uploads"): [String]()
        case (.idList, _): [sample.memberId]
        case (.text, "code"): sample.code
        case (.text, "year"): "all"
        // A level of a criterion that exists.
        case (.text, let level) where level.hasPrefix("level"): nil
        case (.text, let points) where points.hasPrefix("points"): "12"
        case (.text, "transcriptCode"), (.text, "verificationCode"): "4K7QP9XW2MAB"
        // The class has a field of its own.
        case (.text, "to"): nil
        case (.text, "feedSecret"): String(repeating: "a", count: 43)
        case (.text, "secret"): "pt_" + String(repeating: "a", count: 43)
        case (.textList, "interests"): ["music"]
        case (.textList, "activeDays"): ["1", "7"]
        case (.textList, "weekdays"): ["1", "2", "3", "4", "5", "6", "7"]
        case (.text, "pairingCode"): "ABCD2345"
        case (.textList, _): ["students:read"]
        case (.day, "bornOn"): "1990-02-28"
        case (.text, "phone"): "+1 514 555 0100"
        case (.text, "timeZone"): "Europe/Paris"
        case (.text, "passkeyId"): "AAECAw"
        case (.text, "after"): "a"
        case (.text, "maximum"): "20"
        case (.text, "points"): "2"
        case (.text, "assignments"), (.text, "quizzes"), (.text, "participation"), (.text, "midterm"),
            (.text, "final"):
            "18/20"
        case (.integer, "assignments"): 60
        case (.integer, "quizzes"), (.integer, "participation"), (.integer, "midterm"), (.integer, "final"): 10
        case (.text, let letter) where cutOffs[letter] != nil: cutOffs[letter]
        case (.text, "schedule"): "Mon 9:00-10:15 B12"
        case (.text, "credits"): "1.5"
        case (.text, "videoURL"): "https://films.example/water.mp4"
        case (.day, "firstDay"): "2026-09-01"
        case (.day, "lastDay"): "2026-12-20"
        // Only with a picture.
        case (.text, "pictureAlternative"): nil
        case (.text, "target"): "https://push.example.com/device/1"
        // The browser's keys from RFC 8291 section 5.
        case (.text, "key"):
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        case (.text, "secret"): "BTBZMqHH6r4Tts7J_aSIgg"
        case (.text, "quietFrom"): "21:00"
        case (.text, "quietUntil"): "06:30"
        case (.textList, "seqs"): ["1"]
        case (.text, "kind"): "classroom.attendance"
        case (.text, _): "Sample \(field.name)"
        case (.secret, "refreshToken"): sample.founder.refresh
        case (.secret, _): Tower.password
        case (.email, _): sample.founder.email
        case (.integer, _): max(field.minimum ?? 1, min(1, field.maximum ?? 1))
        case (.number, _): max(field.minimum ?? 1, 1)
        case (.instant, _): "2026-11-21T08:15:30Z"
        case (.flag, _): true
        // Each route takes one kind of person.
        case (.choice, "userType"): nil
        case (.choice, _): field.choices?.last
        // The day is left out, because the school decides which day is today.
        case (.day, _), (.objectList, _), (.files, _): nil
        }
    }

    /// Returns the path with its parameters filled in, and the other fields.
    static func split(_ path: String, _ fields: [String: Any]) -> (path: String, rest: [String: Any]) {
        var (path, rest) = (path, fields)
        for (name, value) in fields where path.contains("{\(name)}") {
            path = path.replacingOccurrences(of: "{\(name)}", with: "\(value)")
            rest[name] = nil
        }
        return (path, rest)
    }

    static func query(_ fields: [String: Any]) -> String {
        fields.isEmpty
            ? "" : "?" + Tower.encode(fields.map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 })
    }

    static func json(_ fields: [String: Any]) throws -> Data { try JSONSerialization.data(withJSONObject: fields) }
}
