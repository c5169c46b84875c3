public import DesignSystem
public import SwiftUI

/// An icon beside text. A screen reader skips it.
public struct IconView: View {
    private let icon: PTIcon

    public init(icon: PTIcon) { self.icon = icon }

    public var body: some View {
        Image(systemName: icon.symbol).accessibilityHidden(true)
    }
}

extension PTIcon {
    /// The name of the system's symbol (SF Symbols 5, iOS 17) that shows the icon.
    var symbol: String {
        switch self {
        case .alert: "exclamationmark.triangle"
        case .apple: "apple.logo"
        case .arrowDown: "arrow.down"
        case .arrowRight: "arrow.right"
        case .arrowUp: "arrow.up"
        case .backspace: "delete.left"
        case .bed: "bed.double"
        case .bell: "bell"
        case .book: "book"
        case .brush: "paintbrush"
        case .bulb: "lightbulb"
        case .calculator: "plus.forwardslash.minus"
        case .calendar: "calendar"
        case .camera: "camera"
        case .cards: "rectangle.on.rectangle"
        case .chart: "chart.bar"
        case .chat: "bubble.left"
        case .check: "checkmark"
        case .checks: "checklist"
        case .chevronDown: "chevron.down"
        case .chevronLeft: "chevron.left"
        case .chevronRight: "chevron.right"
        case .clip: "paperclip"
        case .clock: "clock"
        case .cloudOff: "icloud.slash"
        case .cloudUp: "icloud.and.arrow.up"
        case .copy: "doc.on.doc"
        case .cube: "cube"
        case .door: "door.left.hand.open"
        case .download: "arrow.down.to.line"
        case .edit: "pencil"
        case .eye: "eye"
        // The system has one smiling face and no sad one, so the moods are weather there.
        case .faceCalm: "cloud.sun"
        case .faceDelighted: "sun.max.fill"
        case .faceHappy: "sun.min"
        case .faceSad: "cloud.rain"
        case .faceUneasy: "cloud.drizzle"
        case .file: "doc"
        case .filter: "line.3.horizontal.decrease"
        case .flask: "flask"
        case .globe: "globe"
        case .grid: "square.grid.2x2"
        case .grip: "line.3.horizontal"
        case .heart: "heart"
        case .home: "house"
        case .info: "info.circle"
        case .leaf: "leaf"
        case .lock: "lock"
        case .logout: "rectangle.portrait.and.arrow.right"
        case .mail: "envelope"
        case .meal: "fork.knife"
        case .menu: "line.3.horizontal"
        case .mic: "mic"
        case .minus: "minus"
        case .moon: "moon"
        case .more: "ellipsis"
        case .passkey: "person.badge.key"
        case .pause: "pause"
        case .people: "person.2"
        case .person: "person"
        case .phone: "phone"
        case .photo: "photo"
        case .pin: "pin"
        case .play: "play"
        case .plus: "plus"
        case .print: "printer"
        case .retry: "arrow.clockwise"
        case .rotate: "rotate.3d"
        case .scan: "viewfinder"
        case .search: "magnifyingglass"
        case .send: "paperplane"
        case .settings: "gearshape"
        case .share: "square.and.arrow.up"
        case .sort: "arrow.up.arrow.down"
        case .sparkle: "sparkles"
        case .star: "star"
        case .summary: "doc.text"
        case .sun: "sun.max"
        case .swap: "arrow.left.arrow.right"
        case .sync: "arrow.triangle.2.circlepath"
        case .tag: "tag"
        case .task: "checkmark.square"
        case .timer: "timer"
        case .trash: "trash"
        case .trendUp: "chart.line.uptrend.xyaxis"
        case .wave: "hand.wave"
        case .x: "xmark"
        }
    }
}

extension PTFileKind {
    /// The name of the system's symbol for the kind of file.
    var symbol: String {
        switch self {
        case .pdf: "doc.richtext"
        case .image: "photo"
        case .text: "doc.text"
        case .sound: "waveform"
        case .movie: "film"
        case .sheet: "tablecells"
        case .slides: "rectangle.on.rectangle"
        case .archive: "archivebox"
        case .other: "doc"
        }
    }
}
