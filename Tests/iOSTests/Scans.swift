import Foundation
import UIKit
import VisionKit

// Without Testing: it has a part of its own for UIKit, which it looks for wherever both are imported.

/// A scan of pages whose files have these texts.
func makeScan(_ pages: String...) -> VNDocumentCameraScan {
    .recorded(pages.map { .recorded(Data($0.utf8)) })
}
