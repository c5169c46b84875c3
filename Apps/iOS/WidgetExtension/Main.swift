import SwiftUI
import Widgets

/// The extension with the widgets of the app.
@main
struct PinkTowerWidgets: WidgetBundle {
    var body: some Widget {
        DueWidget()
        LessonWidget()
    }
}
