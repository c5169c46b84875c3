import Foundation
import SwiftUI
import UIKit
import UniformTypeIdentifiers

/// The system's browser of files, as a test sees it. It is apart because Testing has an overlay for UIKit, which does not
/// exist on Linux.
@MainActor
struct DocumentPicker {
    private let controller: UIDocumentPickerViewController

    init?(_ root: RecordedView) {
        guard
            let found = root.all("DocumentChoiceView").first?.values.first?.value
                as? UIDocumentPickerViewController
        else { return nil }
        controller = found
    }

    var types: [String] { controller.recordedTypes.map(\.recordedName) }
    var copies: Bool { controller.recordedCopies }
    var takesSeveral: Bool { controller.allowsMultipleSelection }

    func cancel() { controller.delegate?.documentPickerWasCancelled(controller) }

    func choose(_ files: URL...) { controller.delegate?.documentPicker(controller, didPickDocumentsAt: files) }
}
