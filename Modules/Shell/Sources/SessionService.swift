import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// The first page for a caller.
enum InitialRoute: Sendable, Hashable {
    case signIn
    case promptJoinOrganization(code: String)
    case gettingStarted
    case promptCreateOrganization
    /// The student's profile, before they join with a code.
    case promptStudentProfile
    case promptJoin
    case promptLinkChild
    case selectOrganization
    case promptCreateClassroom
    case main
}

/// Determines the first page for a caller.
protocol SessionService: Sendable {
    /// Returns the first page for a caller.
    ///
    /// - Parameter pendingCode: an invite code from the address.
    func determineInitialRoute(pendingCode: String?, _ context: RequestContext) async throws -> InitialRoute
}

/// The session service that asks the directory and the school's database.
struct LiveSessionService: SessionService {
    let classrooms: (any ClassroomService)?
    let organizationCount: @Sendable (UUID) async throws -> Int

    func determineInitialRoute(pendingCode: String?, _ context: RequestContext) async throws -> InitialRoute {
        guard let account = context.caller.account else { return .signIn }
        if let pendingCode { return .promptJoinOrganization(code: pendingCode) }
        guard let membership = context.caller.membership else {
            if try await organizationCount(account.id) > 0 { return .selectOrganization }
            let progress = try await context.directory.read {
                try OnboardingRepository.progress(of: account.id, in: $0)
            }
            guard progress.hasCompletedOnboarding else { return .gettingStarted }
            return switch progress.draft.role {
            case .student: progress.draft.profile == nil ? .promptStudentProfile : .promptJoin
            case .parent: .promptLinkChild
            case .guide, nil: .promptCreateOrganization
            }
        }
        guard let classrooms, context.caller.may(.manageClassrooms) else { return .main }
        let visible = try await context.school.read { try classrooms.classrooms(visibleTo: membership, in: $0) }
        return visible.isEmpty ? .promptCreateClassroom : .main
    }
}
