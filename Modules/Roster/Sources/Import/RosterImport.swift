public import ClassroomInterface
public import CoursesInterface
public import Domain
public import EnrollmentInterface
public import FeatureKit
public import Foundation
public import OrganizationInterface
public import RosterInterface

/// Imports rosters, records what each import does, and undoes it.
public struct RosterImport: RosterImporting {
    let people: any PeopleImporting & PeopleService
    let classrooms: any ClassroomImporting
    let families: any FamilyImporting
    let roles: any RoleAssigning
    let courses: Courses?
    private let kinds: @Sendable () -> [RecordKind]
    private let unpacker: any Unpacking
    let packer: any Packing
    private let hasher: any SecretHasher
    let clock: any WallClock
    let ids: any IDGenerator

    /// Creates the service that imports rosters.
    /// - Parameters:
    ///   - courses: `nil` in a server without courses.
    ///   - kinds: The record kinds of all feature blocks. An undo keeps people about whom there are records that no
    ///     import writes.
    public init(
        people: any PeopleImporting & PeopleService, classrooms: any ClassroomImporting,
        families: any FamilyImporting, roles: any RoleAssigning, courses: Courses?,
        kinds: @autoclosure @escaping @Sendable () -> [RecordKind], unpacker: any Unpacking, packer: any Packing,
        hasher: any SecretHasher, clock: any WallClock, ids: any IDGenerator
    ) {
        self.people = people
        self.classrooms = classrooms
        self.families = families
        self.roles = roles
        self.courses = courses
        self.kinds = kinds
        self.unpacker = unpacker
        self.packer = packer
        self.hasher = hasher
        self.clock = clock
        self.ids = ids
    }

    /// Finds records about people that an import does not write.
    var trace: RecordTrace {
        RecordTrace(
            kinds(),
            without: people.tables.union(classrooms.tables).union(families.tables).union(roles.tables)
                .union(courses?.tables ?? []).union(RosterRecordStore.tables))
    }

    /// The services that an import needs in a school with courses.
    public struct Courses: Sendable {
        let courses: any CourseImporting
        let places: (any CoursePlaceImporting)?

        /// Creates the services of an import with courses.
        ///
        /// - Parameter places: The service that enrolls students; without it no student is enrolled in a course.
        public init(_ courses: any CourseImporting, places: (any CoursePlaceImporting)?) {
            self.courses = courses
            self.places = places
        }

        var tables: Set<String> { courses.tables.union(places?.tables ?? []) }

        func holdings(in sql: any SQLReading) throws -> RosterPlan.CourseHoldings {
            let all = try courses.courses(in: sql)
            return RosterPlan.CourseHoldings(
                terms: try courses.terms(in: sql), courses: all, firstDays: try places?.places(in: sql) ?? [:],
                filled: try courses.filled(Set(all.map(\.id)), in: sql), takesStudents: places != nil)
        }
    }

    // MARK: - RosterImporting

    public func run(
        _ files: [RosterFile], into school: any Database, of orgId: UUID, in timeZone: TimeZone,
        by personId: UUID?, dryRun: Bool, isConfirmed: Bool, words: Words
    ) async throws -> RosterReport {
        let source = read(files, words)
        let now = clock.now
        guard !dryRun else {
            return try await school.read { try self.plan(source, of: orgId, at: now, in: $0) }.report(words)
        }
        // conformance: allow write - the command line has no caller whom the pipeline could let in
        let (plan, importId) = try await school.write { sql -> (RosterPlan, UUID?) in
            let plan = try self.plan(source, of: orgId, at: now, in: sql)
            guard isConfirmed || plan.findings.questions.count == 0 else { return (plan, nil) }
            let importId = try self.apply(
                plan, by: personId, on: Day(now, in: timeZone), at: now, in: sql)
            _ = try ChangeLog.append(plan.change.map { [$0] } ?? [], at: now, actor: personId, in: sql)
            return (plan, importId)
        }
        try await settleRoles(of: orgId, in: school)
        var report = plan.report(words, isApplied: importId != nil)
        report.importId = importId
        return report
    }

    // MARK: - Steps

    /// Recognizes and reads the files.
    func read(_ files: [RosterFile], _ words: Words, _ choices: ColumnChoices = ColumnChoices()) -> RosterSource {
        RosterSource.read(files, language: words.language, unpacker: unpacker, choices: choices)
    }

    /// The report of a preview, with the columns of a plain list.
    func report(
        _ plan: RosterPlan, of source: RosterSource, _ words: Words, uploadId: UUID?, isApplied: Bool = false
    ) -> RosterReport {
        var report = plan.report(words, isApplied: isApplied, uploadId: uploadId)
        report.plan = fingerprint(plan)
        if case .list(let list) = source {
            report.columns = list.columns.enumerated().map { place, column in
                RosterColumn(
                    place: place, title: column.title, meaning: column.column?.rawValue,
                    isKnown: ListColumn(header: column.title) != nil)
            }
        }
        return report
    }

    /// The files without sensitive data, as they are stored until the import.
    func withoutSensitiveData(_ files: [RosterFile]) -> [RosterFile] {
        SensitiveData.removed(from: files, unpacker, limits: CSVReader.Limits())
    }

    /// Plans the import. Reads whole tables instead of one row at a time.
    ///
    /// - Parameter today: The school's current day; by default that of UTC.
    func plan(
        _ source: RosterSource, of orgId: UUID, at now: Date, today: Day? = nil, in sql: any SQLReading
    ) throws -> RosterPlan {
        let holdings =
            source.findings.isClean
            ? try holdings(of: orgId, in: sql)
            : RosterPlan.Holdings(people: [], classrooms: ClassroomHoldings(), families: [], roles: [])
        return RosterPlan(
            source.bundle(against: holdings, of: orgId), against: holdings, of: orgId, now: now,
            today: today ?? Day(now, in: .gmt), newId: { ids.id(at: now) })
    }

    /// Reads the school's current data.
    func holdings(of orgId: UUID, in sql: any SQLReading) throws -> RosterPlan.Holdings {
        RosterPlan.Holdings(
            people: try people.everybody(of: orgId, in: sql), classrooms: try classrooms.holdings(in: sql),
            families: try families.links(in: sql), roles: try RosterRoleRepository.all(in: sql),
            courses: try courses?.holdings(in: sql))
    }

    /// A text that is equal for plans with the same changes.
    func fingerprint(_ plan: RosterPlan) -> String { hasher.fingerprint(plan.outline) }

    /// Applies the plan within the caller's database transaction.
    ///
    /// - Returns: The id of the import's record, or `nil` if nothing changes.
    func apply(
        _ plan: RosterPlan, by personId: UUID?, on day: Day, at now: Date, in sql: any SQLWriting
    ) throws -> UUID? {
        guard !plan.isEmpty else { return nil }
        try people.insert(plan.newPeople, in: sql)
        try people.update(plan.changedPeople.map(\.after), in: sql)
        try classrooms.apply(plan.classrooms, on: day, at: now, in: sql)
        if let courses {
            try courses.courses.save(
                plan.newTerms + plan.changedTerms.map(\.after), plan.newCourses + plan.changedCourses.map(\.after),
                at: now, in: sql)
            try courses.places?.remove(Array(plan.courseDepartures.keys), in: sql)
            try courses.places?.add(
                plan.coursePlaces, firstDays: plan.courseFirstDays, at: now, in: sql)
        }
        try families.link(plan.families, by: personId, at: now, in: sql)
        try RosterRoleRepository.note(plan.assignments, in: sql)
        let id = ids.id(at: now)
        try ImportRepository.insert(id, plan.record, by: personId, at: now, in: sql)
        return id
    }

    /// Removes and gives the noted roles in the directory. Safe to repeat.
    func settleRoles(of orgId: UUID, in school: any Database) async throws {
        let (leaving, waiting) = try await school.read {
            (try ImportRepository.leavingRoles(in: $0), try RosterRoleRepository.waiting(in: $0))
        }
        for (role, assignments) in Self.byRole(leaving) {
            try await roles.take(role, from: assignments, in: orgId)
            // conformance: allow write - notes what the directory did after the command's own transaction
            try await school.write { try ImportRepository.markTaken(role, in: $0) }
        }
        for (role, assignments) in Self.byRole(waiting) {
            let given = try await roles.give(role, to: assignments, in: orgId)
            // conformance: allow write - notes what the directory did after the command's own transaction
            try await school.write { sql in
                try RosterRoleRepository.markGiven(role, to: assignments, in: sql)
                try ImportRepository.deleteAssignments(
                    role, to: assignments.filter { !given.contains($0) }, in: sql)
            }
        }
    }

    private static func byRole(_ assignments: [RosterPlan.RoleAssignment]) -> [(role: Role, personIds: [UUID])] {
        Dictionary(grouping: assignments, by: \.role).sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key, $0.value.map(\.personId)) }
    }
}

extension RosterPlan {
    /// The changes as text, equal for plans that look the same to a person.
    fileprivate var outline: String {
        steps.map { step in
            let arguments = step.arguments.map { argument in
                switch argument {
                case .name(let name): name
                case .role(let role): role.rawValue
                }
            }
            let fields = step.fields.flatMap { [$0.column, $0.before, $0.after] }
            return ([step.file, String(step.line), step.kind.rawValue] + arguments + fields).joined(separator: "\t")
        }.joined(separator: "\n")
    }

    /// The topics of pages that an import or undo changes, besides those of classrooms.
    static let topics = ["classrooms", "students", "members", "courses", "catalogue"]

    /// The entry for the change log, or `nil` if nothing changes.
    var change: Change? {
        guard !isEmpty else { return nil }
        let rooms = touchedClassrooms.map(\.text).sorted().map { "classroom:\($0)" }
        return Change(
            "roster.imported", topics: Self.topics + rooms,
            audience: Audience.roles(Role.guideRoles),
            payload: [
                "peopleCreated": String(counts.peopleCreated), "peopleUpdated": String(counts.peopleUpdated),
                "classroomsCreated": String(counts.classroomsCreated),
                "classroomsRenamed": String(counts.classroomsRenamed),
                "studentsAdded": String(counts.studentsAdded), "guidesAssigned": String(counts.guidesAssigned),
                "studentsEnrolled": String(counts.studentsEnrolled), "studentsLeft": String(counts.studentsLeft),
                "rolesGiven": String(counts.rolesGiven),
                "guardiansLinked": String(counts.guardiansLinked),
                "termsCreated": String(counts.termsCreated), "coursesCreated": String(counts.coursesCreated),
                "coursePlaces": String(counts.coursePlaces),
                "coursePlacesEnded": String(counts.coursePlacesEnded),
            ], reshapesAudience: true)
    }
}
