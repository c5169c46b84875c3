import AppComposition
import SwiftUI

/// The program of the app.
@main
enum PinkTowerProgram {
    @MainActor static func main() { PinkTowerApp.main() }
}
