package import Foundation

extension View {
    /// Notes the file that Quick Look shows. Only the shape of QuickLook calls it.
    package func recordedPreview(_ item: Binding<URL?>) -> some View {
        modified("quickLookPreview", [RecordedValue("", item.wrappedValue as Any)])
    }
}
