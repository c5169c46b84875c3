/// A length, with a CSS value in `rem`, `px` or `em`.
public struct PTLength: Hashable, Sendable {
    public let css: String
    /// The length in points, at the standard text size of 16.
    public let points: Double

    init(css: String) throws {
        for (unit, factor) in [("rem", 16.0), ("em", 16.0), ("px", 1.0)] where css.hasSuffix(unit) {
            guard let number = Double(css.dropLast(unit.count)) else { break }
            self.css = css
            points = number * factor
            return
        }
        throw TokenError(description: "'\(css)' is not a length such as 0.75rem or 3px")
    }
}

/// A duration, with a CSS value in `ms`.
public struct PTDuration: Hashable, Sendable {
    public let milliseconds: Double
    /// The duration as a CSS value, such as `280ms`.
    public var css: String { "\(Int(milliseconds))ms" }

    init(css: String) throws {
        guard css.hasSuffix("ms"), let number = Double(css.dropLast(2)) else {
            throw TokenError(description: "'\(css)' is not a duration such as 280ms")
        }
        milliseconds = number
    }
}

/// The text styles of the design, with their sizes and the typeface.
public struct PTTypography: Sendable, Hashable {
    /// The styles of text in the design, such as titles, body and captions.
    public enum Style: String, CaseIterable, Sendable, Hashable {
        /// The style of hero titles and large numbers.
        case display
        case title1, title2, title3, headline, body, callout, caption
    }
    /// The size, line height, weight and letter spacing of one text style.
    public struct Font: Sendable, Hashable {
        public let size: PTLength
        /// The height of a text line, as a multiple of the text size.
        public let line: Double
        public let weight: Int
        /// The space between the letters of a text style, in `em`.
        public let tracking: PTLength
    }

    public let family: String
    /// The OpenType features of the typeface, as a CSS value.
    public let features: String
    private let fonts: [Style: Font]

    public subscript(style: Style) -> Font {
        guard let font = fonts[style] else { preconditionFailure("init read a font for every style") }
        return font
    }

    init(_ scale: TokenFile.TypeScale) throws {
        family = scale.family
        features = scale.features
        var fonts: [Style: Font] = [:]
        for style in Style.allCases {
            let entry = try scale.scale.required(style.rawValue, of: "type style")
            fonts[style] = Font(
                size: try PTLength(css: entry.size), line: entry.line, weight: entry.weight,
                tracking: try PTLength(css: entry.tracking))
        }
        self.fonts = fonts
    }
}

/// The distances between elements of a page, from hair to large.
public struct PTSpacing: Sendable, Hashable {
    public let xxs, xs, sm, md, lg, xl, xxl, xxxl: PTLength
    /// Distances within a control, such as between an icon and its text.
    public let hair, snug: PTLength

    init(_ values: [String: String]) throws {
        func length(_ name: String) throws -> PTLength {
            try PTLength(css: values.required(name, of: "space"))
        }
        hair = try length("hair")
        snug = try length("snug")
        xxs = try length("xxs")
        xs = try length("xs")
        sm = try length("sm")
        md = try length("md")
        lg = try length("lg")
        xl = try length("xl")
        xxl = try length("xxl")
        xxxl = try length("xxxl")
    }

    var named: [(String, PTLength)] {
        [
            ("hair", hair), ("snug", snug), ("xxs", xxs), ("xs", xs), ("sm", sm), ("md", md), ("lg", lg),
            ("xl", xl), ("xxl", xxl),
            ("xxxl", xxxl),
        ]
    }
}

/// The radii of the corners of elements; `pill` makes capsules.
public struct PTRadius: Sendable, Hashable {
    public let sm, md, lg, xl, pill: PTLength

    init(_ values: [String: String]) throws {
        func length(_ name: String) throws -> PTLength {
            try PTLength(css: values.required(name, of: "radius"))
        }
        sm = try length("sm")
        md = try length("md")
        lg = try length("lg")
        xl = try length("xl")
        pill = try length("pill")
    }

    var named: [(String, PTLength)] {
        [("sm", sm), ("md", md), ("lg", lg), ("xl", xl), ("pill", pill)]
    }
}

/// The sizes of elements that several components share.
public struct PTSizes: Sendable, Hashable {
    /// A shared size; `hit` is the smallest target of a finger.
    public enum Name: String, CaseIterable, Sendable, Hashable {
        case hit, control, bar, fab, rail, row, icon, iconSmall, avatarSmall, avatar, avatarLarge
        case dot, hairline, ring, measure, content, panel
    }
    private let lengths: [Name: PTLength]

    public subscript(name: Name) -> PTLength {
        guard let length = lengths[name] else { preconditionFailure("init read a length for every size") }
        return length
    }

    init(_ values: [String: String]) throws {
        var lengths: [Name: PTLength] = [:]
        for name in Name.allCases { lengths[name] = try PTLength(css: values.required(name.rawValue, of: "size")) }
        self.lengths = lengths
    }
}

/// The durations, curves and transitions of the design's animations.
public struct PTMotion: Sendable, Hashable {
    /// A spring as in SwiftUI's `spring(response:dampingFraction:blendDuration:)`.
    public struct Spring: Sendable, Hashable {
        public let response: Double
        public let dampingFraction: Double
        public let blendDuration: Double
    }
    /// The duration of an animation, with its timing function.
    public struct Curve: Sendable, Hashable {
        public let duration: PTDuration
        /// The timing function of an animation as a CSS value.
        public let timing: String
        public let spring: Spring?
    }
    /// The state from which an element appears.
    public struct Transition: Sendable, Hashable {
        public let opacity: Double?
        public let shiftY: PTLength?
        public let scale: Double?
        /// The angle from which the element turns into place, as a CSS value.
        public let rotate: String?
    }

    public let tap: Curve
    /// The usual curve for elements that appear, 280 ms.
    public let easeOutSoft: Curve
    /// The spring animation of the floating button's actions, the check mark and the burst: response 0.6 s, damping
    /// fraction 0.8, no blending.
    public let springMedium: Curve
    public let fadeUp: Transition
    public let scaleIn: Transition
    public let checkPop: Transition
    let curves: [(name: String, curve: Curve)]
    let transitions: [(name: String, transition: Transition)]
    /// The delays of animations by their names: `stagger`, `toast`, `search` and others.
    public let delays: [String: PTDuration]

    init(_ file: TokenFile) throws {
        func curve(_ name: String) throws -> Curve {
            let entry = try file.motion.required(name, of: "motion")
            return Curve(
                duration: try PTDuration(css: entry.duration), timing: entry.curve,
                spring: entry.spring.map {
                    Spring(
                        response: $0.response, dampingFraction: $0.dampingFraction,
                        blendDuration: $0.blendDuration)
                })
        }
        func transition(_ name: String) throws -> Transition {
            let entry = try file.transition.required(name, of: "transition")
            return Transition(
                opacity: entry.opacity, shiftY: try entry.shiftY.map { try PTLength(css: $0) },
                scale: entry.scale, rotate: entry.rotate)
        }
        tap = try curve("tap")
        easeOutSoft = try curve("easeOutSoft")
        springMedium = try curve("springMedium")
        fadeUp = try transition("fadeUp")
        scaleIn = try transition("scaleIn")
        checkPop = try transition("checkPop")
        curves = try file.motion.keys.sorted().map { ($0, try curve($0)) }
        transitions = try file.transition.keys.sorted().map { ($0, try transition($0)) }
        delays = try file.delay.mapValues { try PTDuration(css: $0) }
    }

    public static func == (left: PTMotion, right: PTMotion) -> Bool {
        left.curves.elementsEqual(right.curves, by: ==)
            && left.transitions.elementsEqual(right.transitions, by: ==) && left.delays == right.delays
    }

    public func hash(into hasher: inout Hasher) {
        for (name, curve) in curves {
            hasher.combine(name)
            hasher.combine(curve)
        }
        hasher.combine(delays)
    }
}
