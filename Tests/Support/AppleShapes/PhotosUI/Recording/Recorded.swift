public import Foundation

extension PHPickerViewController {
    public var recordedConfiguration: PHPickerConfiguration { configuration }
}

extension PHPickerFilter {
    public var recordedNames: [String] { names }
}

extension PHPickerResult {
    /// A photo with its file, or one that cannot be read.
    public static func recorded(type: String, file: URL?, name: String?) -> PHPickerResult {
        PHPickerResult(itemProvider: NSItemProvider(types: [type], file: file, suggestedName: name))
    }
}
