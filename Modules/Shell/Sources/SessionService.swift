import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// Where a person goes first.
enum InitialRoute: Sendable, Hashable {
    case signIn
    case promptJoinOrganization(code: String)
    case gettingStarted
    case promptCreateOrganization
    /// A student says grade and interests, then joins with a code.
    case promptStudentProfile
    case promptJoin
    case promptLinkChild
    case selectOrganization
    case promptCreateClassroom
    case main
}

/// Decides where a person goes first.
protocol SessionService: Sendable {
    /// - Parameter pendingCode: an invite code that the person came with.
    func determineInitialRoute(pendingCode: String?, _ context: RequestContext) async throws -> InitialRoute
}

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
