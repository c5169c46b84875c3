import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Finds the student that a page is about.
struct StudentChooser: Sendable {
    let families: any FamilyLinks

    /// The signed-in student or the chosen child of a parent, with a control to choose another child.
    func chosen(_ request: ScreenRequest) async throws -> (student: UUID?, switcher: [Component]) {
        let membership = try request.context.membership
        if membership.roles.contains(.student) { return (membership.personId, []) }
        guard membership.roles == [.parent] else { return (nil, []) }
        let children = try await request.context.school.read { try families.children(of: membership, in: $0) }
        let (id, segments) = try request.chosenStudent(
            of: children.map { (id: $0.id, name: $0.name.display) }, label: request.words("enrollment.children"))
        return (id, segments)
    }
}
