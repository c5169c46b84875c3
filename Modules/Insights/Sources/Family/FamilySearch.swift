import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Search documents for parents: their children, and the texts that were shared with them.
struct FamilySearch: Sendable {
    let families: any FamilyLinks
    let students: any StudentService

    var sources: [SearchSource] { [children, texts] }

    /// The kinds of change that affect who a child's parents are, or a child's name.
    private static let familyKinds: Set<String> = [
        "members.joined", "members.updated", "members.removed", "families.linked", "guardian.removed",
        "student.updated",
        "student.deleted", "roster.imported", "roster.undone", "records.personErased", "records.accountDeleted",
    ]

    private var children: SearchSource {
        SearchSource(
            category: "family", title: "family.children", icon: .heart, order: 12,
            kinds: Self.familyKinds.union(["student.created"]),
            touched: { change, _ in
                change.change.kind.hasPrefix("student.") ? change.touches("student") : .everything
            },
            ids: { after, limit, sql in try students.studentIds(after: after, limit: limit, in: sql) },
            documents: { ids, schoolId, sql in
                try ids.compactMap { id in
                    guard let (child, parents) = try family(of: id, schoolId, sql) else { return nil }
                    return SearchDocument(
                        id: id, title: child.name.display, text: child.name.given,
                        path: "\(FamilyScreens.path)?child=\(id.text)", tint: child.avatarTint, readers: parents)
                }
            })
    }

    private var texts: SearchSource {
        SearchSource(
            category: "shared", title: "family.texts", icon: .mail, order: 14,
            kinds: Self.familyKinds.union(["insights.shared", "insights.takenBack"]),
            touched: { change, sql in
                // Sharing a text again withdraws the earlier copy.
                guard ["insights.shared", "insights.takenBack", "student.updated"].contains(change.change.kind),
                    let id = change.change.payload["student"].flatMap(UUID.init(text:))
                else { return .everything }
                return .some(try SharedItemRepository.ids(of: id, in: sql))
            },
            ids: { after, limit, sql in try SharedItemRepository.ids(after: after, limit: limit, in: sql) },
            documents: { ids, schoolId, sql in
                try SharedItemRepository.items(ids, in: sql).compactMap { item in
                    guard let (child, parents) = try family(of: item.studentId, schoolId, sql) else { return nil }
                    return SearchDocument(
                        id: item.id, title: SearchSource.excerpt(item.text), subtitle: child.name.display,
                        text: item.text,
                        path: item.kind == .letter
                            ? "\(FamilyScreens.path)/letters/\(item.id.text)"
                            : "\(FamilyScreens.path)?child=\(child.id.text)",
                        tint: child.avatarTint, readers: parents)
                }
            })
    }

    /// A child and its parents; `nil` if the child has none or is deleted.
    private func family(
        of studentId: UUID, _ schoolId: UUID, _ sql: any SQLReading
    ) throws -> (Person, [Audience])? {
        let parents = try families.parents(ofStudent: studentId, in: sql).sorted()
        guard let first = parents.first else { return nil }
        let child = try families.children(ofParent: first, orgId: schoolId, in: sql).first { $0.id == studentId }
        return child.map { ($0, parents.map(Audience.person)) }
    }
}
