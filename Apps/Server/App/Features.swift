import Domain
import FeatureKit
import Foundation
import Integrations

#if WITH_AUTH
    import Auth
    import AuthInterface
#endif
#if WITH_ORGANIZATION
    import Organization
    import OrganizationInterface
#endif
#if WITH_CLASSROOM
    import Classroom
    import ClassroomInterface
#endif
#if WITH_NOTIFICATIONS
    import Notifications
#endif
#if WITH_ROSTER
    import Roster
    import RosterInterface
#endif
#if WITH_SEARCH
    import Search
#endif
#if WITH_PREFERENCES
    import Preferences
#endif
#if WITH_SHELL
    import Shell
#endif
#if WITH_RECORDS
    import Records
    import RecordsInterface
#endif
#if WITH_AUDIT
    import Audit
#endif
#if WITH_CURRICULUM
    import Curriculum
#endif
#if WITH_REPORTS
    import Reports
#endif
#if WITH_INSIGHTS
    import Insights
#endif
#if WITH_QUEST
    import Quest
#endif
#if WITH_MESSAGING
    import Messaging
#endif
#if WITH_COURSES
    import Courses
    import CoursesInterface
#endif
#if WITH_ENROLLMENT
    import Enrollment
#endif
#if WITH_GRADING
    import Grading
#endif
#if WITH_PROGRESS
    import Progress
#endif
// tower:new imports above this line

/// The one place that names implementations: each block is built out of the ports and the interfaces of
/// those before it.
struct Blocks: Sendable {
    var features: [Feature] = []
    var authenticator: any Authenticator = Nobody()
    var memberships: any MembershipResolver = Nobody()
    var preferences: any PreferenceSource = Nobody()
    /// All schools of this server, for the command line.
    var listOrganizations: @Sendable () async throws -> [Organization] = { [] }
    /// Gives schools that the directory does not know their organization, at the start.
    var adoptSchools: @Sendable (_ files: () async throws -> [UUID]) async throws -> Void = { _ in }
    /// Deletes a school for good, for the command line.
    /// Returns whether nothing of it is left on the disk.
    var removeSchool: @Sendable (UUID) async throws -> Bool = { _ in true }
    /// Takes the second steps off an account, for the command line; whether there is one with that address.
    var forgetSecondFactors: @Sendable (_ email: String) async throws -> Bool = { _ in false }
    /// The address of the account that runs the server; `nil` where nobody is named.
    var serverOperator: @Sendable () async throws -> String? = { nil }
    /// Names the account that runs the server, for the command line; whether there is one with that address.
    var nameOperator: @Sendable (_ email: String) async throws -> Bool = { _ in false }
    /// Whether anybody has an account here yet.
    var hasAccounts: @Sendable () async throws -> Bool = { false }
    /// Throws the refusal of a school that is closed.
    var refuseClosed: Pipeline.ClosedCheck = { _, _ in }
    /// Forgets what is remembered of the directory: another process has changed it.
    var forget: @Sendable () -> Void = {}
    /// Looks up who is signed in, before the first of them asks for something.
    var rememberSessions: @Sendable () async throws -> Void = {}
    #if WITH_AUTH
        /// What becomes of a deleted account's people in their schools.
        private var erasing: (any AccountErasing)?
    #endif
    #if WITH_RECORDS
        var keeper: SchoolKeeper?
        var export: SchoolExport?
    #endif
    #if WITH_ROSTER
        var importing: (any RosterImporting)?
    #endif

    init(_ ports: ServerPorts, wanted: Set<String>?) throws {
        func isOn(_ name: String) -> Bool { wanted?.contains(name) ?? true }

        #if WITH_AUTH
            let auth = AuthService(
                directory: ports.directory, hasher: ports.hasher, clock: ports.clock, ids: ports.ids)
            if isOn("Auth") {
                authenticator = auth
                rememberSessions = { try await auth.rememberSessions() }
                forget = { auth.forgetSessions() }
                forgetSecondFactors = { try await auth.forgetSecondFactors(email: $0) }
                serverOperator = { try await auth.serverOperator()?.email }
                nameOperator = { try await auth.nameOperator(email: $0) }
                hasAccounts = { try await auth.hasAccounts() }
                features.append(
                    try AuthFeature.make(
                        auth: auth, directory: ports.directory, hasher: ports.hasher, ids: ports.ids,
                        mailer: ports.mailer, cryptography: ports.cryptography, qr: LibQRCode(),
                        publicURL: ports.publicURL, confirmsMail: ports.confirmsMail,
                        provider: ports.provider))
            }
        #endif
        #if WITH_ORGANIZATION
            let members = DirectoryMembershipService(
                directory: ports.directory, accounts: auth, schools: ports.schools, clock: ports.clock,
                ids: ports.ids)
            let organizations = DirectoryOrgService(
                directory: ports.directory, schools: ports.schools, memberships: members, clock: ports.clock,
                ids: ports.ids)
            let people = SQLPeopleService()
            let letter = InviteLetter(mailer: ports.mailer, hasher: ports.hasher, publicURL: ports.publicURL)
            #if WITH_CLASSROOM
                let placing: (any ClassroomPlacing)? = isOn("Classroom") ? SQLClassroomService() : nil
            #else
                let placing: (any ClassroomPlacing)? = nil
            #endif
            forget = {
                members.forgetActive()
                auth.forgetSessions()
            }
            listOrganizations = { try await organizations.all() }
            if isOn("Organization") {
                memberships = members
                refuseClosed = { try organizations.refuseClosed($0, in: $1) }
                adoptSchools = { _ = try await organizations.adopt($0, accounts: auth) }
                features.append(
                    try OrganizationFeature.make(
                        organizations: organizations, memberships: members,
                        invites: DirectoryInviteService(
                            directory: ports.directory, schools: ports.schools, memberships: members,
                            clock: ports.clock, ids: ports.ids, hasher: ports.hasher, classrooms: placing),
                        qr: LibQRCode(), publicURL: ports.publicURL, directory: ports.directory,
                        mailer: ports.mailer, letter: letter, accounts: auth,
                        classrooms: placing))
            }
        #endif
        #if WITH_CLASSROOM
            let classrooms = SQLClassroomService()
            let students = SQLStudentService(people: people)
            let guardians = SQLGuardianService(letter: letter)
            #if WITH_RECORDS
                let consents: (any ConsentNoting)? = isOn("Records") ? ConsentBook() : nil
            #else
                let consents: (any ConsentNoting)? = nil
            #endif
            #if WITH_CURRICULUM
                let curriculum = try SchoolTaxonomy()
                let taxonomy: (any Taxonomy)? = isOn("Curriculum") ? curriculum : nil
            #else
                let taxonomy: (any Taxonomy)? = nil
            #endif
            #if WITH_INSIGHTS
                let service = OpenAIModels(at: ports.models.address)
                let models = ServerModels(
                    text: service, speech: service, key: ports.models.key, textModel: ports.models.textModel,
                    speechModel: ports.models.speechModel, cryptography: ports.cryptography)
                let transcriber = isOn("Insights") ? InsightsFeature.transcriber(models) : nil
            #else
                let transcriber: (any Transcriber)? = nil
            #endif
            if isOn("Classroom") {
                features.append(
                    try ClassroomFeature.make(
                        classrooms: classrooms, students: students, guides: members, roles: members,
                        guardians: guardians, taxonomy: taxonomy, images: ports.images, transcriber: transcriber,
                        consents: consents, calendar: SQLSchoolCalendar()))
            }
        #endif
        #if WITH_PREFERENCES
            let display = PreferencesService(directory: ports.directory)
            if isOn("Preferences") {
                preferences = display
                features.append(try PreferencesFeature.make(preferences: display))
            }
        #endif
        #if WITH_SHELL
            if isOn("Shell") {
                features.append(
                    try ShellFeature.make(
                        founding: organizations, classrooms: classrooms, students: students,
                        hasAccounts: { try await auth.hasAccounts() },
                        organizationCount: { try await organizations.list(for: $0).count }))
            }
        #endif
        #if WITH_CURRICULUM
            if isOn("Curriculum") {
                features.append(
                    try CurriculumFeature.make(
                        taxonomy: curriculum, classrooms: classrooms, students: students,
                        record: SQLChildRecord()))
            }
        #endif
        #if WITH_INSIGHTS || WITH_REPORTS
            #if WITH_CURRICULUM
                let materials: (any MaterialRecord)? =
                    isOn("Curriculum") ? SQLMaterialRecord(taxonomy: curriculum) : nil
            #else
                let materials: (any MaterialRecord)? = nil
            #endif
        #endif
        #if WITH_INSIGHTS
            if isOn("Insights") {
                features.append(
                    try InsightsFeature.make(
                        classrooms: classrooms, students: students, record: SQLChildRecord(),
                        history: SQLChildHistory(), materials: materials, taxonomy: taxonomy,
                        families: SQLFamilyLinks(guardians: guardians),
                        models: models, names: { try people.everybody(of: $0, in: $1).map(\.person.name) },
                        school: { id in try await organizations.all().first { $0.id == id } }))
            }
        #endif
        #if WITH_REPORTS
            if isOn("Reports") {
                features.append(
                    try ReportsFeature.make(
                        classrooms: classrooms, students: students, record: SQLClassRecord(),
                        history: SQLChildHistory(), materials: materials, printer: PangoPrinter(), qr: LibQRCode(),
                        publicURL: ports.publicURL))
            }
        #endif
        #if WITH_QUEST
            #if WITH_ORGANIZATION
                let isAtHome = !isOn("Organization")
            #else
                let isAtHome = true
            #endif
            #if WITH_SHELL
                let hasStart = isOn("Shell")
            #else
                let hasStart = false
            #endif
            if isOn("Quest") {
                if isAtHome { memberships = HomeMemberships(schools: ports.schools) }
                features.append(
                    try QuestFeature.make(
                        codes: GateCodeService(directory: ports.directory, hasher: ports.hasher), sessions: auth,
                        hasher: ports.hasher, ids: ports.ids, qr: LibQRCode(), publicURL: ports.publicURL,
                        isStart: !hasStart))
            }
        #endif
        #if WITH_COURSES
            let families = SQLFamilyLinks(guardians: guardians)
            #if WITH_ENROLLMENT
                let enrollment = EnrollmentService(families: families)
                let places: (any CourseRoster)? = isOn("Enrollment") ? enrollment : nil
            #else
                let places: (any CourseRoster)? = nil
            #endif
            let courses = SQLCourseService(roster: places, families: families)
        #endif
        #if WITH_MESSAGING
            #if WITH_COURSES
                let courseTies: (any CourseTieService)? = isOn("Courses") ? courses : nil
            #else
                let courseTies: (any CourseTieService)? = nil
            #endif
            if isOn("Messaging") {
                features.append(
                    try MessagingFeature.make(
                        roles: members, ties: SQLClassroomTies(guardians: guardians), people: people,
                        courses: courseTies, images: ports.images))
            }
        #endif
        #if WITH_COURSES
            #if WITH_PREFERENCES
                let personal: (any PersonalPreferences)? = isOn("Preferences") ? SQLPersonalPreferences() : nil
            #else
                let personal: (any PersonalPreferences)? = nil
            #endif
            if isOn("Courses") {
                features.append(
                    try CoursesFeature.make(
                        courses: courses, people: people, guides: members, roles: members, markdown: CMarkReader(),
                        preferences: personal, images: ports.images))
            }
            #if WITH_ENROLLMENT
                #if WITH_GRADING
                    let courseRecords: [any CourseRecords] =
                        isOn("Grading") ? [SQLGradeService(courses: courses, roster: enrollment)] : []
                #else
                    let courseRecords: [any CourseRecords] = []
                #endif
                if isOn("Enrollment") {
                    features.append(
                        try EnrollmentFeature.make(
                            service: enrollment, courses: courses, people: people, classrooms: classrooms,
                            students: students, roles: members, records: courseRecords))
                }
            #endif
            #if WITH_GRADING
                let learners: any CourseRoster = places ?? NobodyInCourses()
                if isOn("Grading") {
                    features.append(
                        try GradingFeature.make(
                            courses: courses, roster: learners, people: people, families: families,
                            printer: PangoPrinter()))
                }
                #if WITH_PROGRESS
                    if isOn("Progress") {
                        let marks = SQLGradeService(courses: courses, roster: learners)
                        features.append(
                            try ProgressFeature.make(
                                courses: courses, roster: learners, lessons: courses, grades: marks, work: marks,
                                families: families, people: people))
                    }
                #endif
            #endif
        #endif
        // tower:new inserts above this line

        // Those that read what the others offer come last.
        #if WITH_ROSTER
            // An undo leaves those alone about whom any block has written, Records too.
            #if WITH_RECORDS
                let kinds = isOn("Records") ? RecordsFeature.kinds(with: features) : features.flatMap(\.records)
            #else
                let kinds = features.flatMap(\.records)
            #endif
            #if WITH_COURSES
                #if WITH_ENROLLMENT
                    let coursePlaces: (any CoursePlaceImporting)? =
                        isOn("Enrollment") ? SQLCoursePlaceImport(courses: courses) : nil
                #else
                    let coursePlaces: (any CoursePlaceImporting)? = nil
                #endif
                let importedCourses =
                    isOn("Courses") ? RosterImport.Courses(SQLCourseImport(), places: coursePlaces) : nil
            #else
                let importedCourses: RosterImport.Courses? = nil
            #endif
            let roster = RosterImport(
                people: people, classrooms: classrooms, families: SQLFamilyImport(), roles: members,
                courses: importedCourses, kinds: kinds,
                unpacker: Unzip(), hasher: ports.hasher, clock: ports.clock, ids: ports.ids)
            importing = roster
            if isOn("Roster") { features.append(try RosterFeature.make(roster)) }
        #endif
        #if WITH_SEARCH
            if isOn("Search") {
                features.append(
                    try SearchFeature.make(
                        sources: features.flatMap(\.searchSources), audiences: features.flatMap(\.audiences),
                        links: features.flatMap(\.deepLinks), indexes: ports.searches, allSchools: ports.allSchools)
                )
            }
        #endif
        #if WITH_NOTIFICATIONS
            if isOn("Notifications") {
                features.append(
                    try NotificationsFeature.make(
                        kinds: features.flatMap(\.notificationKinds), audiences: features.flatMap(\.audiences),
                        catalogs: features.map(\.catalog),
                        push: PushPorts(
                            sender: ports.push, sessions: authenticator, memberships: memberships,
                            preferences: preferences, report: ports.report)))
            }
        #endif
        #if WITH_RECORDS
            if isOn("Records") {
                let kinds = RecordsFeature.kinds(with: features)
                let keeper = SchoolKeeper(
                    register: organizations, accounts: auth, making: auth, sessions: auth, files: ports.files,
                    archives: ports.archives, kinds: kinds, blobs: ports.blobs,
                    folder: WorkFolder(ports.workFolder), clock: ports.clock, ids: ports.ids,
                    replaced: { [hub = ports.hub, schools = ports.schools] schoolId in
                        hub.restart(schoolId)
                        try await SealBook(directory: ports.directory, clock: ports.clock)
                            .note(schoolId, schools.school(schoolId))
                    })
                self.keeper = keeper
                let records = PersonRecords(
                    kinds: kinds, people: people, register: organizations, accounts: auth,
                    archives: ports.archives)
                let prepared = PreparedFiles(folder: keeper.folder, directory: ports.directory)
                let erasure = AccountErasure(
                    records: records, directory: ports.directory, schools: ports.schools,
                    completion: ErasureCompletion(
                        records: records, directory: ports.directory,
                        sweep: FileSweep(kinds: kinds, blobs: ports.blobs),
                        stores: ports.stores + features.flatMap(\.stores) + [prepared.store], clock: ports.clock,
                        report: { [report = ports.report] in report("An erasure is not finished: \(type(of: $0))") }
                    ),
                    clock: ports.clock)
                export = SchoolExport(
                    kinds: kinds, archives: ports.archives, folder: WorkFolder(ports.workFolder),
                    directory: ports.directory, blobs: ports.blobs)
                features.append(
                    try RecordsFeature.make(
                        erasure: erasure, prepared: prepared, agreements: ConsentLog(directory: ports.directory),
                        keeper: keeper,
                        roles: members, directory: ports.directory,
                        uploadLimit: ports.restoreLimit))
                erasing = erasure
            }
        #endif
        #if WITH_ORGANIZATION
            let removal = SchoolRemoval(
                directory: ports.directory, files: ports.files, blobs: ports.blobs, kinds: features.records,
                stores: ports.stores + features.flatMap(\.stores), memberships: members, clock: ports.clock)
            OrganizationFeature.complete(&features, organizations: organizations, removal: removal)
            removeSchool = { try await removal.remove($0) }
        #endif
        #if WITH_AUDIT
            if isOn("Audit") { features.append(try AuditFeature.make(others: features)) }
        #endif
        #if WITH_AUTH
            AuthFeature.complete(
                &features, auth: auth, directory: ports.directory, hasher: ports.hasher, ids: ports.ids,
                outbox: ports.outbox, erasing: erasing)
        #endif
    }
}

/// Stands in where no block gives sign-in, schools or preferences: nobody is ever signed in.
private struct Nobody: Authenticator, MembershipResolver, PreferenceSource {
    func account(accessToken: String) async throws -> SignedInAccount? { nil }
    func isValid(sessionId: UUID) async throws -> Bool { false }
    func accounts(ofSessions ids: [UUID]) async throws -> [UUID: SignedInAccount] { [:] }
    func refresh(refreshToken: String) async throws -> SessionTokens? { nil }
    func activeMembership(of account: SignedInAccount) async throws -> ActiveMembership? { nil }
    func preferences(of accountId: UUID) async throws -> DisplayPreferences { DisplayPreferences() }
}

#if WITH_GRADING
    /// Where no block enrols, courses have nobody in them.
    private struct NobodyInCourses: CourseRoster {
        func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID] { [] }
        func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> { [] }
        func fit(_ course: Course, in context: inout CommandContext) throws {}
    }
#endif
