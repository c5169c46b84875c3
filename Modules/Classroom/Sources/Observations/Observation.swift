import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// An observation of a child in the guide's own words. Only the staff who may see the child can read it.
struct Observation: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    /// The child that the observation is mainly about.
    let primaryStudentId: UUID
    /// The other children who took part.
    var taggedStudentIds: [UUID]
    var content: String
    var subjectTag: UUID?
    var materialTag: UUID?
    var appTag: UUID?
    /// The day on which the guide wants to follow up; `nil` for none.
    var followUpOn: Day?
    var followedUpAt: Date?
    var attachments: [Photo]
    let createdAt: Date
    let createdByGuideId: UUID
    /// The number of the observation's version, which grows with each change. A change of an older version is
    /// refused.
    var version: Int

    static let maxLength = 8000
    static let maxTagged = 40

    var tagIds: [UUID] { [subjectTag, materialTag, appTag].compactMap(\.self) }
}

/// The input for creating or changing an observation.
struct ObservationDraft: Sendable, Hashable {
    var content: String
    var taggedStudentIds: [UUID] = []
    var subjectTag: UUID?
    var materialTag: UUID?
    var appTag: UUID?
    var followUpOn: Day?
    /// The photos to add, as they were uploaded.
    var photos: [UploadedFile] = []
}

extension ObservationDraft {
    init(_ fields: inout FieldReader) {
        self.init(
            content: fields.text("content", max: Observation.maxLength, multiline: true),
            taggedStudentIds: fields.ids("taggedStudentIds", max: Observation.maxTagged),
            subjectTag: fields.optionalId("subjectTag"), materialTag: fields.optionalId("materialTag"),
            appTag: fields.optionalId("appTag"), followUpOn: fields.optionalDay("followUpOn"),
            photos: fields.optionalFiles("photos", max: Photo.limit))
    }
}

/// The conditions of a search in a child's observations. An observation must meet all conditions that are set.
struct ObservationFilter: Sendable, Hashable {
    enum Order: String, Codable, Sendable, Hashable, CaseIterable { case newest, oldest }

    var text = ""
    var from: Day?
    var to: Day?
    var subject: UUID?
    var material: UUID?
    var app: UUID?
    /// Another child who must have taken part.
    var with: UUID?
    var order = Order.newest

    /// Whether any condition besides the order is set.
    var isNarrow: Bool { self != ObservationFilter(order: order) }
}

extension ObservationFilter {
    init(_ fields: inout FieldReader) {
        text = fields.optionalText("q", max: 200) ?? ""
        from = fields.optionalDay("from")
        to = fields.optionalDay("to")
        subject = fields.optionalId("subject")
        material = fields.optionalId("material")
        app = fields.optionalId("app")
        with = fields.optionalId("with")
        order = fields.optionalChoice("order", of: Order.self) ?? .newest
    }
}

enum ObservationRepository {
    static func insert(_ observation: Observation, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO observations (id, student_id, content, search_text, subject_tag, material_tag, app_tag,
                follow_up_on, created_at, created_by, version)
            VALUES (\(observation.id), \(observation.primaryStudentId), \(observation.content),
                \(NameFolding.fold(observation.content)), \(observation.subjectTag), \(observation.materialTag), \(observation.appTag),
                \(observation.followUpOn), \(observation.createdAt), \(observation.createdByGuideId), 1)
            """)
        try insertChildren(of: observation, in: sql)
        if !observation.attachments.isEmpty {
            try PhotoRepository.set(observation.attachments, of: observation.id, in: sql)
        }
    }

    private static func insertChildren(of observation: Observation, in sql: any SQLWriting) throws {
        for id in Set(observation.taggedStudentIds).union([observation.primaryStudentId]) {
            try sql.execute(
                """
                INSERT INTO observation_children (student_id, observation_id, created_at, material_tag)
                VALUES (\(id), \(observation.id), \(observation.createdAt), \(observation.materialTag))
                """)
        }
    }

    /// Saves a change based on `version`. Returns `false` if the observation has a newer version.
    static func update(_ observation: Observation, in sql: any SQLWriting) throws -> Bool {
        let changed = try sql.execute(
            """
            UPDATE observations SET content = \(observation.content),
                search_text = \(NameFolding.fold(observation.content)), subject_tag = \(observation.subjectTag),
                material_tag = \(observation.materialTag), app_tag = \(observation.appTag),
                follow_up_on = \(observation.followUpOn), followed_up_at = \(observation.followedUpAt),
                version = version + 1
            WHERE id = \(observation.id) AND version = \(observation.version)
            """)
        guard changed > 0 else { return false }
        try sql.execute("DELETE FROM observation_children WHERE observation_id = \(observation.id)")
        try insertChildren(of: observation, in: sql)
        try PhotoRepository.set(observation.attachments, of: observation.id, in: sql)
        return true
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM observations WHERE id = \(id)")
    }

    static func observation(_ id: UUID, in sql: any SQLReading) throws -> Observation? {
        try observations("WHERE observations.id = \(id)", in: sql).first
    }

    /// Returns one page of a child's observations, including those in which the child is only tagged.
    /// - Parameter place: `place(of:)` the last one of the page before.
    static func observations(
        of studentId: UUID, _ filter: ObservationFilter = ObservationFilter(), timeZone: TimeZone,
        after place: String? = nil, limit: Int, in sql: any SQLReading
    ) throws -> [Observation] {
        var condition: SQL = "WHERE mine.student_id = \(studentId)"
        for word in NameFolding.fold(filter.text).split(separator: " ").prefix(6) {
            condition = "\(condition) AND observations.search_text LIKE \("%" + word.likeEscaped + "%") ESCAPE '\\'"
        }
        if let from = filter.from { condition = "\(condition) AND mine.created_at >= \(from.start(in: timeZone))" }
        if let to = filter.to {
            condition = "\(condition) AND mine.created_at < \(to.adding(days: 1).start(in: timeZone))"
        }
        if let tag = filter.subject { condition = "\(condition) AND observations.subject_tag = \(tag)" }
        if let tag = filter.material { condition = "\(condition) AND observations.material_tag = \(tag)" }
        if let tag = filter.app { condition = "\(condition) AND observations.app_tag = \(tag)" }
        if let other = filter.with {
            condition = """
                \(condition) AND EXISTS (SELECT 1 FROM observation_children AS other
                    WHERE other.observation_id = observations.id AND other.student_id = \(other))
                """
        }
        let isNewest = filter.order == .newest
        let direction: SQL = isNewest ? "DESC" : "ASC"
        if let place, let (at, id) = Self.place(place) {
            condition =
                isNewest
                ? "\(condition) AND mine.created_at <= \(at) AND (mine.created_at < \(at) OR mine.observation_id < \(id))"
                : "\(condition) AND mine.created_at >= \(at) AND (mine.created_at > \(at) OR mine.observation_id > \(id))"
        }
        return try observations(
            """
            JOIN observation_children AS mine ON mine.observation_id = observations.id \(condition)
            ORDER BY mine.created_at \(direction), mine.observation_id \(direction)
            LIMIT \(limit)
            """, in: sql)
    }

    /// Returns the position of an observation in the list, to continue after it.
    static func place(of observation: Observation) -> String {
        "\(Int(observation.createdAt.timeIntervalSince1970 * 1000)).\(observation.id.text)"
    }

    private static func place(_ text: String) -> (Date, UUID)? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let milliseconds = Int(parts[0]), let id = UUID(text: String(parts[1])) else {
            return nil
        }
        return (Date(timeIntervalSince1970: Double(milliseconds) / 1000), id)
    }

    /// Returns the follow-ups of a guide that are due by a day and not done, earliest first.
    static func followUps(
        of guideId: UUID, until day: Day, limit: Int, in sql: any SQLReading
    ) throws -> [Observation] {
        try observations(
            """
            WHERE observations.created_by = \(guideId) AND observations.follow_up_on <= \(day)
                AND observations.followed_up_at IS NULL
            ORDER BY observations.follow_up_on, observations.id LIMIT \(limit)
            """, in: sql)
    }

    /// Returns the newest observations of a child with each of the materials, at most three for each.
    static func evidence(
        of studentId: UUID, materials: Set<UUID>, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [UUID: [Evidence]] {
        try materials.reduce(into: [:]) { found, material in
            let newest = try sql.rows(
                """
                SELECT observations.id, observations.content, observations.created_at
                FROM observation_children AS mine JOIN observations ON observations.id = mine.observation_id
                WHERE mine.student_id = \(studentId) AND mine.material_tag = \(material)
                ORDER BY mine.created_at DESC LIMIT 3
                """)
            guard !newest.isEmpty else { return }
            found[material] = try newest.map { row in
                let content: String = try row.get("content")
                return try Evidence(
                    id: row.get("id"), day: Day(row.get("created_at"), in: timeZone), excerpt: content.excerpt(120))
            }
        }
    }

    private static func observations(_ rest: SQL, in sql: any SQLReading) throws -> [Observation] {
        let rows = try sql.rows(
            """
            SELECT observations.id, observations.student_id, observations.content, observations.subject_tag, observations.material_tag,
                observations.app_tag, observations.follow_up_on, observations.followed_up_at,
                observations.created_at, observations.created_by, observations.version
            FROM observations \(rest)
            """)
        let ids: [UUID] = try rows.map { try $0.get("id") }
        guard !ids.isEmpty else { return [] }
        var children: [UUID: [UUID]] = [:]
        for row in try sql.rows(
            """
            SELECT observation_id, student_id FROM observation_children
            WHERE observation_id IN \(list: ids) ORDER BY student_id
            """)
        {
            try children[row.get("observation_id"), default: []].append(row.get("student_id"))
        }
        let photos = try PhotoRepository.photos(of: ids, in: sql)
        return try rows.map { row in
            let (id, child) = try (row.get("id", as: UUID.self), row.get("student_id", as: UUID.self))
            return try Observation(
                id: id, primaryStudentId: child, taggedStudentIds: children[id, default: []].filter { $0 != child },
                content: row.get("content"), subjectTag: row.optional("subject_tag"),
                materialTag: row.optional("material_tag"), appTag: row.optional("app_tag"),
                followUpOn: row.optional("follow_up_on"), followedUpAt: row.optional("followed_up_at"),
                attachments: photos[id, default: []],
                createdAt: row.get("created_at"), createdByGuideId: row.get("created_by"),
                version: row.get("version"))
        }
    }
}

extension String {
    /// Returns the beginning of the text on one line, cut between words if it is longer.
    func excerpt(_ count: Int) -> String {
        let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard line.count > count else { return line }
        let head = line.prefix(count - 1)
        let cut = head.lastIndex(of: " ").map { head[..<$0] } ?? head
        return cut + "…"
    }
}
