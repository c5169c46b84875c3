public import Foundation

/// The structure and behavior of an app.
///
/// Apple: App. iOS 14.0.
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    /// Apple: body. iOS 14.0.
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// Apple: App.init(). iOS 14.0.
    @MainActor @preconcurrency init()
}

extension App {
    /// Starts the app.
    ///
    /// Apple: App.main(). iOS 14.0.
    @MainActor public static func main() { preconditionFailure("only a device runs the app") }
}

/// A part of an app's interface with a life of its own.
///
/// Apple: Scene. iOS 14.0.
@MainActor @preconcurrency
public protocol Scene {
    /// The content as a view. A device evaluates `body` instead; the app uses the system's scenes only.
    var items: any View { get }
}

/// A result builder for the scenes of an app.
///
/// Apple: SceneBuilder. iOS 14.0.
@resultBuilder
public struct SceneBuilder {
    @MainActor public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// A scene that presents windows with the same content.
///
/// Apple: WindowGroup. iOS 14.0.
public struct WindowGroup<Content: View>: Scene {
    let content: Content

    /// Apple: WindowGroup.init(content:). iOS 14.0.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public var items: any View { content }
}

/// Whether a scene is in front, visible, or hidden.
///
/// Apple: ScenePhase. iOS 14.0.
public enum ScenePhase: Hashable, Sendable { case background, inactive, active }

private enum PhaseKey: EnvironmentKey {
    static var defaultValue: ScenePhase { .active }
}

extension EnvironmentValues {
    /// Apple: scenePhase. iOS 14.0.
    public internal(set) var scenePhase: ScenePhase {
        get { self[PhaseKey.self] }
        set { self[PhaseKey.self] = newValue }
    }
}

/// What a person did outside of the app, such as opening an entry of the system's search. On Apple systems it is in
/// Foundation.
///
/// Apple: NSUserActivity. iOS 8.0.
public final class NSUserActivity: NSObject {
    /// Apple: NSUserActivity.userInfo. iOS 8.0.
    public let userInfo: [AnyHashable: Any]?
    init(userInfo: [AnyHashable: Any]?) { self.userInfo = userInfo }
}

extension View {
    /// Apple: onContinueUserActivity(_:perform:). iOS 14.0.
    public func onContinueUserActivity(
        _ activityType: String, perform action: @escaping @MainActor (NSUserActivity) -> Void
    ) -> some View {
        modified(
            "onContinueUserActivity", [RecordedValue("type", activityType), RecordedValue("perform", action)])
    }
    /// Apple: onOpenURL(perform:). iOS 14.0.
    public func onOpenURL(perform action: @escaping @MainActor (URL) -> Void) -> some View {
        modified("onOpenURL", [RecordedValue("perform", action)])
    }
}
