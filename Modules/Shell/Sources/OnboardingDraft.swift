import Domain
import FeatureKit
import Foundation

/// The entries of the onboarding wizard so far. Stored on the server, so that reloads and other devices continue with
/// them.
struct OnboardingDraft: Codable, Sendable, Hashable {
    struct Child: Codable, Sendable, Hashable {
        var firstName: String
        var lastName: String
        var avatarTint: Tint
    }
    /// The id of the draft, so that it is carried out once.
    var id: UUID?
    var schoolName = ""
    var schoolTint = Tint.berry
    /// The founder's time zone, as reported by the browser.
    var timeZone: String?
    var classroomName = ""
    var classroomTint = Tint.leaf
    var children: [Child] = []
    /// What the person chose to join as; `nil` before.
    var role: Newcomer?
    var profile: StudentProfile?

    /// The most children in a draft. Longer lists are imported.
    static let childLimit = 60
}

/// What a person without a role in any school joins as.
enum Newcomer: String, Codable, Sendable, CaseIterable {
    case guide, student, parent
}

/// A student's profile before they join a school.
struct StudentProfile: Codable, Sendable, Hashable {
    /// 0 is kindergarten, 13 is after school.
    var grade: Int
    var interests: [Interest]

    enum Interest: String, Codable, Sendable, CaseIterable {
        case reading, writing, mathematics, science, nature, art, music, sport, coding, history, languages, cooking
    }
    static let grades = 0...13
}

/// An account's state in the onboarding.
struct OnboardingProgress: Sendable {
    var draft: OnboardingDraft
    /// Whether "Get started" was pressed. The welcome page is shown only until then; the later pages ask for what is
    /// missing.
    var hasCompletedOnboarding: Bool
    /// Whether the draft was carried out, so that the school or the classroom exists.
    var hasFounded: Bool
}

/// Reads and writes the state of the onboarding.
enum OnboardingRepository {
    static let schoolMigrations = [
        Migration(
            "001-carried-out",
            """
            CREATE TABLE onboarding_carried_out (
                draft_id TEXT PRIMARY KEY
            );
            """)
    ]

    /// Marks a draft as carried out. Returns whether it was not before.
    static func carryOut(_ draftId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            "INSERT INTO onboarding_carried_out (draft_id) VALUES (\(draftId)) ON CONFLICT (draft_id) DO NOTHING"
        ) > 0
    }

    static let migrations = [
        Migration(
            "001-onboarding",
            """
            CREATE TABLE onboarding (
                account_id TEXT PRIMARY KEY,
                started_at BIGINT NOT NULL,
                completed_at BIGINT,
                draft TEXT NOT NULL
            );
            """),
        ReleaseRepository.migration,
    ]

    static func progress(of accountId: UUID, in sql: any SQLReading) throws -> OnboardingProgress {
        guard let row = try sql.row("SELECT * FROM onboarding WHERE account_id = \(accountId)") else {
            return OnboardingProgress(draft: OnboardingDraft(), hasCompletedOnboarding: false, hasFounded: false)
        }
        let draft: String = try row.get("draft")
        let completed: Date? = try row.optional("completed_at")
        return OnboardingProgress(
            draft: try JSON.decode(OnboardingDraft.self, from: Data(draft.utf8)), hasCompletedOnboarding: true,
            hasFounded: completed != nil)
    }

    static func save(_ draft: OnboardingDraft, of accountId: UUID, at instant: Date, in sql: any SQLWriting) throws
    {
        let text = String(decoding: try JSON.encode(draft), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO onboarding (account_id, started_at, draft) VALUES (\(accountId), \(instant), \(text))
            ON CONFLICT (account_id) DO UPDATE SET draft = excluded.draft
            """)
    }

    /// Marks the onboarding as completed and deletes the draft except for role and profile.
    static func complete(_ accountId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        let draft = try progress(of: accountId, in: sql).draft
        var rest = OnboardingDraft()
        (rest.role, rest.profile) = (draft.role, draft.profile)
        try save(rest, of: accountId, at: instant, in: sql)
        try sql.execute("UPDATE onboarding SET completed_at = \(instant) WHERE account_id = \(accountId)")
    }
}
