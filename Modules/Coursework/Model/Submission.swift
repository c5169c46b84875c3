public import Foundation

/// A file that a student hands in.
public struct SubmittedFile: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    /// The name of the file as the student gave it.
    public let name: String
    /// The size of the file in bytes.
    public let size: Int

    public init(id: UUID, name: String, size: Int) {
        self.id = id
        self.name = name
        self.size = size
    }
}

/// The work that a student handed in for an assignment in one attempt. It is never changed; another attempt is another
/// submission.
public struct Submission: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let assignmentId: UUID
    public let studentId: UUID
    /// The number of the attempt, from 1.
    public let attempt: Int
    public let text: String?
    public let link: String?
    public let files: [SubmittedFile]
    /// The time at which the server received the work.
    public let handedInAt: Date

    public init(
        id: UUID, assignmentId: UUID, studentId: UUID, attempt: Int, text: String? = nil, link: String? = nil,
        files: [SubmittedFile] = [], handedInAt: Date
    ) {
        self.id = id
        self.assignmentId = assignmentId
        self.studentId = studentId
        self.attempt = attempt
        self.text = text
        self.link = link
        self.files = files
        self.handedInAt = handedInAt
    }
}

/// The work that a student has begun and not handed in, stored on the server.
public struct SubmissionDraft: Codable, Sendable, Hashable {
    public let assignmentId: UUID
    public let studentId: UUID
    public var text: String?
    public var link: String?
    public var files: [SubmittedFile]

    public init(
        assignmentId: UUID, studentId: UUID, text: String? = nil, link: String? = nil, files: [SubmittedFile] = []
    ) {
        self.assignmentId = assignmentId
        self.studentId = studentId
        self.text = text
        self.link = link
        self.files = files
    }

    /// Whether nothing was written and no file was added.
    public var isEmpty: Bool { text == nil && link == nil && files.isEmpty }
}

extension Sequence<Submission> {
    /// The submission that counts: the last one on time, or without any the last one; `nil` without submissions.
    ///
    /// A late second attempt therefore never replaces work that was on time.
    public func counted(by times: WorkTimes) -> Submission? {
        let ordered = sorted { $0.attempt < $1.attempt }
        return ordered.last { times.isOnTime($0.handedInAt) } ?? ordered.last
    }
}
