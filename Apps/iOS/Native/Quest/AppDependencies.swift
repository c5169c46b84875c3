public import Client
public import Observation
public import SwiftUI

/// The repositories that the views of a quest use. The app makes them from the stores of the signed-in person and hands
/// them down through the environment.
@MainActor @Observable
public final class AppDependencies {
    public let routineRepository: any RoutineRepositoryProtocol
    public let sessionRepository: any SessionRepositoryProtocol

    public init(
        routineRepository: any RoutineRepositoryProtocol, sessionRepository: any SessionRepositoryProtocol
    ) {
        self.routineRepository = routineRepository
        self.sessionRepository = sessionRepository
    }

    /// The repositories on the stores of a person.
    public convenience init(_ store: AppStore) {
        self.init(routineRepository: store.routineRepository, sessionRepository: store.questStore)
    }
}

extension EnvironmentValues {
    /// The repositories of the signed-in person; `nil` while nobody is signed in.
    public var appDependencies: AppDependencies? {
        get { self[DependenciesKey.self] }
        set { self[DependenciesKey.self] = newValue }
    }
}

private enum DependenciesKey: EnvironmentKey {
    static var defaultValue: AppDependencies? { nil }
}
