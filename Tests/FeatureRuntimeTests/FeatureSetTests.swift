import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import FeatureRuntime

@Suite("Sets of features")
struct FeatureSetTests {
    func make(_ id: String) throws -> Feature {
        Feature(id, catalog: try StringCatalog(json: Data(#"{"strings": {}}"#.utf8)))
    }

    @Test("two features with the same name for a thing are refused")
    func doubles() throws {
        var other = try makeNotes()
        other.endpoints.commands.removeLast()
        let misfit = #expect(throws: FeatureSet.Misfit.self) { try FeatureSet([try makeNotes(), other]) }
        #expect(String(describing: try #require(misfit)).contains("notes.write"))
    }

    @Test(
        "a valid set has its migrations, those of the kernel first, and the navigation entries that a person may see",
        .requirement("PT-1.19.b"))
    func fits() throws {
        var notes = try makeNotes()
        notes.pages.navigation = [
            NavigationEntry(.tabs, "b", icon: .x, path: "/b", order: 20),
            NavigationEntry(.tabs, "a", icon: .x, path: "/a", order: 10, permission: .writeNotes),
            NavigationEntry(.settings, "c", icon: .x, path: "/c", order: 1),
        ]
        let set = try FeatureSet([notes])
        #expect(set.schoolMigrations.map(\.owner) == ["kernel", "pipeline", "pending", "Notes"])
        #expect(set.directoryMigrations.map(\.owner) == ["pipeline", "seals", "pending", "Notes"])
        #expect(set.navigation(for: .nobody).map(\.path) == ["/c", "/b"])
    }

    @Test("an API token can have a scope for each area with endpoints, except for personal areas")
    func tokenScopes() throws {
        let notes = try makeNotes()
        let reachable =
            notes.endpoints.queries.map { ($0.contract, false) }
            + notes.endpoints.commands.map { ($0.contract, true) }
        #expect(
            [notes].tokenScopes
                == Set(
                    reachable.filter { $0.0.access != .anyone }.map { TokenScope(area: $0.0.area, mayChange: $0.1) }
                ))
        var personal = notes
        personal.access.personalAreas = ["notes", "school"]
        #expect([personal].tokenScopes.isEmpty)
        #expect([notes].tokenScopes.contains(TokenScope(area: "notes", mayChange: true)))
        #expect([try make("Other"), notes].tokenScopes == [notes].tokenScopes)
    }

    @Test(
        "family pages are tabs for families and not for staff, even if they are parents",
        .requirement("PT-1.19.b"))
    func placesFamilies() throws {
        let pages = [NavigationEntry(.family, "a", icon: .x, path: "/a", order: 10)]
        #expect(try place(pages, for: [.parent]) == [.tabs])
        #expect(try place(pages, for: [.guide]) == [.account])
        #expect(try place(pages, for: [.guide, .parent]) == [.account])
    }

    @Test("pages of learning are tabs for students, and for staff who have no tab of their own work")
    func placesLearning() throws {
        let pages = [
            NavigationEntry(.learning, "a", icon: .x, path: "/a", order: 10),
            NavigationEntry(.beside, "b", icon: .x, path: "/b", order: 30),
            NavigationEntry(.tabs, "c", icon: .x, path: "/c", order: NavigationEntry.sharedTabOrder),
        ]
        let work = NavigationEntry(.tabs, "d", icon: .x, path: "/d", order: 40)
        #expect(try place(pages, for: [.student]) == [.tabs, .tabs, .tabs])
        #expect(try place(pages, for: [.guide]) == [.tabs, .tabs, .tabs])
        #expect(try place(pages + [work], for: [.student]) == [.tabs, .tabs, .tabs, .tabs])
        #expect(try place(pages + [work], for: [.guide]) == [.account, .beside, .tabs, .tabs])
    }

    /// The placements of navigation entries for a member with these roles.
    private func place(_ entries: [NavigationEntry], for roles: Set<Role>) throws -> [NavigationPlacement] {
        var notes = try makeNotes()
        notes.pages.navigation = entries
        let organization = Organization(
            id: UUID(), name: "Maple School", avatarTint: .leaf, timeZone: "Europe/Zurich", createdAt: .distantPast)
        let caller = Caller(
            account: nil,
            membership: ActiveMembership(organization: organization, personId: UUID(), roles: roles))
        return try FeatureSet([notes]).navigation(for: caller).map(\.placement)
    }

    @Test(
        "links of other blocks are shown for a person, a classroom, a child or an observation, to those who may see them"
    )
    func links() async throws {
        var notes = try makeNotes()
        notes.pages.navigation = [
            NavigationEntry(
                .classroom, "notes.secret", icon: .x, path: "/s/{classroomId}", order: 1, permission: .writeNotes),
            NavigationEntry(
                .classroom, "notes.class", icon: .x, path: "/classrooms/{classroomId}/notes", order: 2),
            NavigationEntry(.person, "notes.person", icon: .x, path: "/people/{personId}/notes", order: 3),
            NavigationEntry(
                .observation, "notes.share", icon: .x, path: "/students/{studentId}/share/{observationId}",
                order: 4),
            NavigationEntry(
                .observation, "notes.hidden", icon: .x, path: "/x/{observationId}", order: 5,
                permission: .writeNotes),
            NavigationEntry(.child, "notes.child", icon: .eye, path: "/students/{studentId}/tell", order: 6),
        ]
        let (id, child) = (UUID(), UUID())
        notes.pages.screens = [
            ScreenRoute("/page", access: .account) { request in
                .screen(
                    Screen(
                        title: "Page",
                        body: [
                            .links(
                                PTLinks(
                                    links: request.chips(.classroom, ["classroomId": id]).map {
                                        .init(title: $0.title, action: $0.action)
                                    })),
                            .links(PTLinks(links: request.links(.person, ["personId": id]))),
                            .links(
                                PTLinks(
                                    links: request.links(.observation, ["observationId": id, "studentId": child]))),
                            .links(
                                PTLinks(
                                    links: request.menuItems(.child, ["studentId": child]).map {
                                        .init(title: $0.title, action: $0.action)
                                    })),
                        ]))
            }
        ]
        let school = try await TestSchool([notes])
        let lines = try await school.environment.outline("/page", as: school.makeCaller(.parent)).lines
        #expect(
            lines.dropFirst() == [
                "[«notes.class»] -> /classrooms/\(id.text)/notes", "[«notes.person»] -> /people/\(id.text)/notes",
                "[«notes.share»] -> /students/\(child.text)/share/\(id.text)",
                "[«notes.child»] -> /students/\(child.text)/tell",
            ])
    }
}

extension NavigationPlacement {
    fileprivate static let person = NavigationPlacement("person")
    fileprivate static let classroom = NavigationPlacement("classroom")
    fileprivate static let child = NavigationPlacement("child")
    fileprivate static let observation = NavigationPlacement("observation")
}
