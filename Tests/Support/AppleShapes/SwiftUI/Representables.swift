public import UIKit

/// A view of SwiftUI that is a view controller of UIKit.
///
/// Apple: UIViewControllerRepresentable. iOS 13.0.
@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: RecordedPrimitive {
    associatedtype UIViewControllerType: UIViewController
    associatedtype Coordinator = Void
    /// Apple: UIViewControllerRepresentable.Context. iOS 13.0.
    typealias Context = UIViewControllerRepresentableContext<Self>

    /// Apple: makeUIViewController(context:). iOS 13.0.
    func makeUIViewController(context: Context) -> UIViewControllerType
    /// Apple: updateUIViewController(_:context:). iOS 13.0.
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    /// Apple: makeCoordinator(). iOS 13.0.
    func makeCoordinator() -> Coordinator
}

/// The values that a view controller's representation gets from SwiftUI.
///
/// Apple: UIViewControllerRepresentableContext. iOS 13.0.
@MainActor
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    /// Apple: UIViewControllerRepresentableContext.coordinator. iOS 13.0.
    public let coordinator: Representable.Coordinator
}

extension UIViewControllerRepresentable where Coordinator == Void {
    /// Apple: makeCoordinator(). iOS 13.0.
    public func makeCoordinator() {}
}

extension UIViewControllerRepresentable {
    public func record(in context: RecordingContext) -> [RecordedView] {
        let recorder = context.recorder
        recorder.visit(context.path)
        recorder.link(self, at: context.path, in: context.environment)
        let key = "\(context.path)\(ViewRecorder.mark)controller"
        let pair = recorder.object(at: key) {
            let own = Context(coordinator: makeCoordinator())
            return Pair(object: makeUIViewController(context: own), context: own)
        }
        var node = RecordedView(String(describing: type(of: self)), in: context)
        node.values = [RecordedValue("object", pair.object)]
        if let controller = pair.object as? UIViewControllerType,
            let own = pair.context as? UIViewControllerRepresentableContext<Self>
        {
            updateUIViewController(controller, context: own)
        }
        return [node]
    }
}

/// A view of SwiftUI that is a view of UIKit.
///
/// Apple: UIViewRepresentable. iOS 13.0.
@MainActor @preconcurrency
public protocol UIViewRepresentable: RecordedPrimitive {
    associatedtype UIViewType: UIView
    associatedtype Coordinator = Void
    /// Apple: UIViewRepresentable.Context. iOS 13.0.
    typealias Context = UIViewRepresentableContext<Self>

    /// Apple: makeUIView(context:). iOS 13.0.
    func makeUIView(context: Context) -> UIViewType
    /// Apple: updateUIView(_:context:). iOS 13.0.
    func updateUIView(_ uiView: UIViewType, context: Context)
    /// Apple: makeCoordinator(). iOS 13.0.
    func makeCoordinator() -> Coordinator
}

/// The values that a view's representation gets from SwiftUI.
///
/// Apple: UIViewRepresentableContext. iOS 13.0.
@MainActor
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    /// Apple: UIViewRepresentableContext.coordinator. iOS 13.0.
    public let coordinator: Representable.Coordinator
}

extension UIViewRepresentable where Coordinator == Void {
    /// Apple: makeCoordinator(). iOS 13.0.
    public func makeCoordinator() {}
}

extension UIViewRepresentable {
    public func record(in context: RecordingContext) -> [RecordedView] {
        let recorder = context.recorder
        recorder.visit(context.path)
        let key = "\(context.path)\(ViewRecorder.mark)view"
        let pair = recorder.object(at: key) {
            let own = Context(coordinator: makeCoordinator())
            return Pair(object: makeUIView(context: own), context: own)
        }
        var node = RecordedView(String(describing: type(of: self)), in: context)
        node.values = [RecordedValue("object", pair.object)]
        if let view = pair.object as? UIViewType, let own = pair.context as? Context {
            updateUIView(view, context: own)
        }
        return [node]
    }
}

/// An object of UIKit with the context in which it was made.
private struct Pair {
    let object: Any
    let context: Any
}
