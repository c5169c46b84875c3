import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The search for people with an account by name and address, for readers who may see the members.
enum MemberSearch {
    static let source = SearchSource(
        category: "members", title: "settings.members", icon: .people, isOfPeople: true, order: 20,
        kinds: [
            "members.joined", "members.updated", "members.removed", "organization.founded", "roster.imported",
            "roster.undone",
            "records.personErased", "records.accountDeleted",
        ],
        touched: { change, _ in change.touches("person") },
        ids: { after, limit, sql in
            try sql.rows(
                "SELECT id FROM people WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)"
            ).map { try $0.get("id") }
        },
        documents: { ids, _, sql in
            try sql.rows(
                """
                SELECT id, given_name, family_name, preferred_name, email, avatar_tint FROM people
                WHERE id IN \(list: ids) AND account_id IS NOT NULL
                """
            ).map { row in
                let id: UUID = try row.get("id")
                let name = try PeopleTable.personName(row)
                return try SearchDocument(
                    id: id, title: name.display, subtitle: row.optional("email") ?? "", text: name.given,
                    path: "/settings/members/\(id.text)", tint: row.get("avatar_tint"),
                    readers: Audience.roles([.superAdmin, .admin]))
            }
        })
}
