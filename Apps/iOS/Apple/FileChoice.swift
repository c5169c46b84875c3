import DesignSystem
import DesignTokens
import Domain
import Foundation
import PhotosUI
import ScreenUI
import SwiftUI
import UIKit
import UniformTypeIdentifiers

/// The choice of files for a form: out of the library of photos, out of the files, or the question which of both.
struct FileChoiceView: View {
    /// The places from which files can come.
    enum Source: Hashable { case photos, files }

    let request: FileRequest
    /// Receives copies of the files, none if the person canceled.
    let onEnd: @MainActor ([PickedFile]) -> Void
    @State private var source: Source?
    @Environment(\.design) private var design

    init(request: FileRequest, onEnd: @escaping @MainActor ([PickedFile]) -> Void) {
        self.request = request
        self.onEnd = onEnd
        let sources = Self.sources(of: request)
        _source = State(initialValue: sources.count == 1 ? sources.first : nil)
    }

    /// The places where files of the accepted types are. A field for photos alone has its photos out of their library.
    static func sources(of request: FileRequest) -> [Source] {
        if request.side != nil, request.accept == ["image/*"] { return [.photos] }
        let takesPictures = request.accept.contains { $0.hasPrefix("image/") || $0.hasPrefix("video/") }
        return request.accept.isEmpty || takesPictures ? [.photos, .files] : [.files]
    }

    var body: some View {
        switch source {
        case .photos: PhotoChoiceView(request: request, onEnd: onEnd)
        case .files: DocumentChoiceView(request: request, onEnd: onEnd)
        case nil:
            VStack {
                ToolButton(title: design.words("app.files.photos"), icon: .photo) { source = .photos }
                ToolButton(title: design.words("app.files.files"), icon: .file) { source = .files }
                ToolButton(title: design.words("app.cancel"), icon: .x) { onEnd([]) }
            }
            .padding(.all, design.space(\.md))
            .presentationDetents([.medium])
        }
    }
}

/// The library of photos, of which the app gets only what the person chose.
struct PhotoChoiceView: UIViewControllerRepresentable {
    let request: FileRequest
    let onEnd: @MainActor ([PickedFile]) -> Void

    func makeUIViewController(context: Context) -> PHPickerViewController {
        var configuration = PHPickerConfiguration()
        let takesFilms = request.accept.isEmpty || request.accept.contains { $0.hasPrefix("video/") }
        configuration.filter = takesFilms ? .any(of: [.images, .videos]) : .images
        // Zero is any number.
        configuration.selectionLimit = request.limit == .max ? 0 : request.limit
        // Photos arrive as JPEG, which every browser of the school shows.
        configuration.preferredAssetRepresentationMode = .compatible
        let picker = PHPickerViewController(configuration: configuration)
        picker.delegate = context.coordinator
        return picker
    }

    func updateUIViewController(_ picker: PHPickerViewController, context: Context) {}

    func makeCoordinator() -> Coordinator { Coordinator(side: request.side, onEnd: onEnd) }

    /// The receiver of the photos, which copies them.
    @MainActor
    final class Coordinator: PHPickerViewControllerDelegate {
        private let side: Int?
        private let onEnd: @MainActor ([PickedFile]) -> Void

        init(side: Int?, onEnd: @escaping @MainActor ([PickedFile]) -> Void) {
            self.side = side
            self.onEnd = onEnd
        }

        func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
            let (providers, side) = (results.map(\.itemProvider), side)
            Task {
                var files: [PickedFile] = []
                // One after the other, so that one photo at a time is in memory.
                for provider in providers {
                    guard let file = await Self.copy(of: provider) else { continue }
                    let reduced = await Task.detached { side.map { file.reduced(to: $0) } }.value
                    files.append(reduced ?? file)
                }
                onEnd(files)
            }
        }

        /// A copy of a photo or film; `nil` if it cannot be read.
        private static func copy(of provider: NSItemProvider) async -> PickedFile? {
            guard let type = provider.registeredTypeIdentifiers.first else { return nil }
            let name = provider.suggestedName
            return await withCheckedContinuation { continuation in
                provider.loadFileRepresentation(forTypeIdentifier: type) { file, _ in
                    // The file is deleted after this closure.
                    continuation.resume(returning: file.flatMap { PickedFile(copyOf: $0, named: name) })
                }
            }
        }
    }
}

/// The system's browser of files.
struct DocumentChoiceView: UIViewControllerRepresentable {
    let request: FileRequest
    let onEnd: @MainActor ([PickedFile]) -> Void

    func makeUIViewController(context: Context) -> UIDocumentPickerViewController {
        let picker = UIDocumentPickerViewController(
            forOpeningContentTypes: Self.types(request.accept), asCopy: true)
        picker.allowsMultipleSelection = request.limit > 1
        picker.delegate = context.coordinator
        return picker
    }

    func updateUIViewController(_ picker: UIDocumentPickerViewController, context: Context) {}

    func makeCoordinator() -> Coordinator { Coordinator(limit: request.limit, onEnd: onEnd) }

    /// The system's types for the types of a field, which are media types or the endings of names.
    static func types(_ accept: [String]) -> [UTType] {
        let types = accept.compactMap { name -> UTType? in
            switch name {
            case "image/*": .image
            case "video/*": .movie
            case "audio/*": .audio
            default:
                name.hasPrefix(".") ? UTType(filenameExtension: String(name.dropFirst())) : UTType(mimeType: name)
            }
        }
        return types.isEmpty ? [.item] : types
    }

    /// The receiver of the files.
    @MainActor
    final class Coordinator: NSObject, UIDocumentPickerDelegate {
        private let limit: Int
        private let onEnd: @MainActor ([PickedFile]) -> Void

        init(limit: Int, onEnd: @escaping @MainActor ([PickedFile]) -> Void) {
            self.limit = limit
            self.onEnd = onEnd
        }

        func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
            onEnd(urls.prefix(limit).compactMap { PickedFile(copyOf: $0, named: nil) })
        }

        func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) { onEnd([]) }
    }
}

extension PickedFile {
    /// A copy of a file that the system passes on; `nil` if it cannot be copied.
    ///
    /// - Parameter name: the name without its ending; `nil` for that of the file.
    fileprivate init?(copyOf file: URL, named name: String?) {
        let suffix = file.pathExtension
        let copy = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).\(suffix)")
        do {
            try FileManager.default.copyItem(at: file, to: copy)
        } catch {
            // The device is full, and the system has told so. The person can choose again.
            return nil
        }
        self.init(
            name: name.map { "\($0).\(suffix)" } ?? file.lastPathComponent,
            mediaType: UTType(filenameExtension: suffix.lowercased())?.preferredMIMEType
                ?? "application/octet-stream",
            content: copy)
    }

    /// The photo with no side longer than a number of pixels; itself if it is no picture or small enough already.
    fileprivate func reduced(to side: Int) -> PickedFile {
        guard let picture = UIImage(contentsOfFile: content.path) else { return self }
        let longest = max(picture.size.width, picture.size.height)
        let scale = min(1, Double(side) / max(1, longest))
        let size = CGSize(width: picture.size.width * scale, height: picture.size.height * scale)
        guard scale < 1 || mediaType != "image/jpeg", let small = picture.preparingThumbnail(of: size),
            let data = small.jpegData(compressionQuality: Self.quality)
        else { return self }
        do {
            // In the place of the large one, which is no longer needed.
            try data.write(to: content, options: .atomic)
        } catch {
            return self
        }
        let stem = name.split(separator: ".").dropLast().joined(separator: ".")
        return PickedFile(name: "\(stem.isEmpty ? name : stem).jpg", mediaType: "image/jpeg", content: content)
    }

    /// The quality of reduced photos, as in the browser.
    private static var quality: CGFloat { 0.85 }
}
