public import ClassroomInterface
import DesignSystem
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The Residence feature block: student residences with their rooms and residents.
public enum ResidenceFeature {
    static let bundle = Bundle.module

    /// Builds the Residence feature block.
    ///
    /// - Parameters:
    ///   - people: The names of the school's people.
    ///   - roles: The roles of people, which tell who is a student and who may run a residence.
    ///   - families: The parents of residents.
    ///   - printer: Prints the kitchen's head counts and the badges.
    ///   - gates: The ports that gates are built from.
    ///   - contacts: The contacts of students, in a server that stores them.
    ///   - school: Looks up a school by its id, for the notices of late returns.
    public static func make(
        people: any PeopleService, roles: any RoleDirectory, families: any FamilyLinks,
        printer: any DocumentPrinting, gates: GatePorts, contacts: (any ClassRecord)? = nil,
        school: @escaping @Sendable (UUID) async throws -> Organization? = { _ in nil }
    ) throws -> Feature {
        let residences = ResidenceHandlers(roles: roles)
        let residents = ResidentHandlers(people: people)
        let passages = PassageHandlers(residents: residents)
        let day = DayScreens(people: people)
        let leaves = LeaveHandlers(families: families)
        let lateReturns = LateReturns(leaves: leaves, school: school)
        let leaveScreens = LeaveScreens(handlers: leaves, lateReturns: lateReturns, people: people)
        let rollCalls = RollCallHandlers()
        let meals = MealHandlers(families: families)
        let (mealScreens, kitchen) = (
            MealScreens(handlers: meals, people: people), KitchenScreens(people: people, printer: printer)
        )
        let imports = ImportHandlers(residents: residents)
        let tags = TagHandlers(residents: residents)
        let tagScreens = TagScreens(handlers: residents, qr: gates.qr)
        let gateHandlers = GateHandlers(sessions: gates.sessions, hasher: gates.hasher)
        let gateScreens = GateScreens(
            hasher: gates.hasher, ids: gates.ids, qr: gates.qr, printer: printer, publicURL: gates.publicURL)
        let kiosk = KioskHandlers(people: people, passages: passages, codes: gates.codes, hasher: gates.hasher)
        var feature = Feature("Residence", catalog: try StringCatalog(in: bundle))
        feature.access.permissions = [
            .manageResidences, .runResidence, .liveInResidence, .askForLeave, .decideLeave,
            .planMeals, .chooseMeals,
        ]
        feature.access.titles = [
            .manageResidences: "right.residence.manage", .runResidence: "right.residence.run",
            .liveInResidence: "right.residence.live", .askForLeave: "right.residence.askForLeave",
            .decideLeave: "right.residence.decideLeave", .planMeals: "right.residence.planMeals",
            .chooseMeals: "right.residence.chooseMeals",
        ]
        // Only a paired device is a gate, never a program with a token.
        feature.access.personalAreas = [GateAccess.area]
        feature.access.audiences = [
            AudienceSource { membership, sql in
                Set(
                    try ResidenceRepository.residenceIds(servedBy: membership.personId, as: .warden, in: sql)
                        .map(Audience.wardens))
            },
            AudienceSource { membership, sql in
                Set(
                    try ResidenceRepository.residenceIds(servedBy: membership.personId, as: .kitchen, in: sql)
                        .map(Audience.kitchen)
                        + meals.residents(of: membership, in: sql).map { .diners(of: $0.pgId) })
            },
        ]
        feature.storage.directoryMigrations = ResidenceMigrations.directory
        feature.storage.schoolMigrations = ResidenceMigrations.school
        feature.storage.records = ResidenceRecordStore.kinds
        feature.endpoints.queries =
            residences.queries + RoomHandlers().queries + residents.queries + passages.queries + day.queries
            + leaves.queries + rollCalls.queries + meals.queries + imports.queries + tags.queries
            + gateHandlers.queries + kiosk.queries
        feature.endpoints.commands =
            residences.commands + RoomHandlers().commands + residents.commands + passages.commands
            + leaves.commands + rollCalls.commands + meals.commands + imports.commands + tags.commands
            + gateHandlers.commands + kiosk.commands
        feature.endpoints.downloads = kitchen.downloads + [gateScreens.download, kiosk.photo]
        feature.pages.screens =
            ResidenceScreens(people: people, roles: roles).routes + RoomScreens(people: people).routes
            + ResidentScreens(handlers: residents, roles: roles).routes + day.routes
            + PassageScreens(people: people).routes
            + leaveScreens.routes + mealScreens.routes + kitchen.routes + ImportScreens(people: people).routes
            + RollCallScreens(people: people, contacts: contacts).routes
            + tagScreens.routes + gateScreens.routes + KioskScreen(handlers: kiosk).routes
        feature.pages.islands[RollCallScreens.island] = Bundle.module.bundleURL.appending(path: "Resources/island")
        for name in ["gate", "place"] {
            feature.pages.islands[name] = bundle.bundleURL.appending(path: "Resources/\(name)")
        }
        feature.pages.navigation = [
            NavigationEntry(
                .tabs, "residence.title", icon: .bed, path: ResidenceScreens.list, order: 25,
                permission: .planMeals),
            NavigationEntry(
                .family, "residence.leave", icon: .bed, path: LeaveScreens.own, order: 40, permission: .askForLeave),
            NavigationEntry(
                .family, "residence.meals", icon: .meal, path: MealScreens.own, order: 41, permission: .chooseMeals),
            NavigationEntry(
                .family, "residence.pass", icon: .door, path: TagScreens.own, order: 42,
                permission: .liveInResidence),
        ]
        // A school without a residence has no use for the tab; its admins find it in the settings of the school.
        feature.pages.entryStates = [
            ResidenceScreens.list: { context, sql in
                EntryState(isShown: try !MealAccess.planned(by: context.membership, in: sql).isEmpty)
            },
            LeaveScreens.own: { context, sql in
                EntryState(isShown: try leaveScreens.isOffered(to: context.membership, in: sql))
            },
            MealScreens.own: { context, sql in
                EntryState(isShown: try mealScreens.isOffered(to: context.membership, in: sql))
            },
            TagScreens.own: { context, sql in
                EntryState(isShown: try tagScreens.isOffered(to: context.membership, in: sql))
            },
        ]
        feature.jobs = [lateReturns.job]
        feature.notifications.kinds = [
            "leaveRequested", "leaveApproved", "leaveDeclined", "leaveWithdrawn", "late", "returned",
        ].map {
            notification("residence.\($0)", "notification.residence.\($0)", people)
        }
        feature.audit.title = "audit.group.residence"
        feature.audit.kinds = auditKinds
        feature.audit.names = [
            NameSource("residence") { ids, sql in
                try ResidenceRepository.residences("id IN \(list: ids)", in: sql)
                    .reduce(into: [:]) { $0[$1.id] = $1.name }
            }
        ]
        return feature
    }

    private static let auditKinds =
        [
            "created", "updated", "deleted", "roomCreated", "roomUpdated", "roomDeleted", "rollCallNoted",
            "rollCallClosed", "menuSaved", "imported", "importUndone",
        ].map {
            AuditKind("residence.\($0)", "audit.residence.\($0)", .name("residence", of: "residence"))
        }
        + [
            "movedIn", "movedOut", "roomAssigned", "studentUpdated", "passageRecorded", "passageCorrected",
            "leaveRequested", "leaveApproved", "leaveDeclined", "leaveWithdrawn",
            "rollCallCorrected", "late", "returned", "mealChosen", "dietSaved",
            "tagAdded", "tagLost", "tagFound", "tagRevoked", "locationChosen",
        ].map {
            AuditKind(
                "residence.\($0)", "audit.residence.\($0)", .name("student", of: "person"),
                .name("residence", of: "residence"))
        }
        + ["gateAllowed", "gateEnded"].map {
            AuditKind(
                "residence.\($0)", "audit.residence.\($0)", .value("gate"), .name("residence", of: "residence"))
        }
        + [
            AuditKind("residence.exported", "audit.residence.exported", .name("pg", of: "residence")),
            AuditKind("residence.allergiesSeen", "audit.residence.allergiesSeen"),
            AuditKind(
                "residence.allergiesExported", "audit.residence.allergiesExported", .name("pg", of: "residence")),
        ]

    /// A notification about a resident's leave. It links wardens to their list, and residents and parents to theirs.
    private static func notification(
        _ kind: String, _ key: String, _ people: any PeopleService
    ) -> NotificationKind {
        NotificationKind(kind, icon: .bed) { logged, context in
            let (membership, payload) = (try context.membership, logged.change.payload)
            let residence = payload["residence"].flatMap(UUID.init(text:))
            let student = payload["student"].flatMap(UUID.init(text:))
            return try await context.school.read { sql in
                let person = try student.flatMap {
                    try people.people([$0], of: membership.organization.id, in: sql)[$0]
                }
                let words = context.words
                let runs = try ResidenceAccess.run(by: membership, in: sql).contains { $0.id == residence }
                return (
                    words(key, person?.name.display ?? words("residence.formerResident")),
                    runs ? residence.map(LeaveScreens.path) : LeaveScreens.own
                )
            }
        }
    }
}
