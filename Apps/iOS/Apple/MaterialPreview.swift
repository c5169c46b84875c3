import DesignSystem
import Foundation
import QuickLook
import ScreenUI
import SwiftUI

/// A button that places a material in the room with Quick Look.
struct MaterialPreviewView: View {
    let title: String
    /// The address of the USDZ file.
    let model: String
    let files: any SessionFiles
    @State private var file: URL?

    init(title: String, model: String, files: any SessionFiles) {
        self.title = title
        self.model = model
        self.files = files
    }

    var body: some View {
        ToolButton(title: title, icon: .cube) { Task { file = await files.file(at: model) } }
            .quickLookPreview($file)
    }
}
