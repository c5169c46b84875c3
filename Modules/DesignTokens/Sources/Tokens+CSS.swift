extension Tokens {
    /// The tokens as CSS custom properties and keyframes.
    ///
    /// `surfaceAlt` becomes `--surface-alt`, `clay.3` becomes `--clay-3`, and the style `title1` becomes
    /// `--type-title1` (a font shorthand) with `--track-title1`. The mode follows `data-appearance`, or the device
    /// without that attribute; the theme follows `data-theme`.
    public var css: String {
        let light = properties(.pinktower, .light)
        let dark = properties(.pinktower, .dark)
        let otherLight = properties(.wolfwhale, .light).filter { light[$0.key] != $0.value }
        let otherDark = properties(.wolfwhale, .dark).filter {
            dark[$0.key] != $0.value || otherLight[$0.key] != nil
        }
        let darkOnly = dark.filter { light[$0.key] != $0.value }
        let byDevice = ":root:not([data-appearance=light])"
        return """
            :root{\(scales)color-scheme:light;\(block(light))}
            @media (prefers-color-scheme:dark){\(byDevice){color-scheme:dark;\(block(darkOnly))}}
            :root[data-appearance=dark]{color-scheme:dark;\(block(darkOnly))}
            :root[data-theme=wolfwhale]{--font-features:normal;\(block(otherLight))}
            @media (prefers-color-scheme:dark){\
            \(byDevice)[data-theme=wolfwhale]{\(block(otherDark))}}
            :root[data-theme=wolfwhale][data-appearance=dark]{\(block(otherDark))}
            \(keyframes)
            """
    }

    /// The properties that depend on theme and mode.
    private func properties(_ theme: PTTheme, _ mode: PTMode) -> [String: String] {
        let colors = colors(theme, mode)
        var all = ["--bar-blur": colors.barBlur]
        for (name, color) in colors.values { all["--" + kebab(name)] = color.css }
        for shadow in PTColors.Shadow.allCases { all["--shadow-\(shadow.rawValue)"] = colors.shadow(shadow) }
        return all
    }

    private func block(_ properties: [String: String]) -> String {
        properties.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value);" }.joined()
    }

    /// The properties that are the same in every theme.
    private var scales: String {
        var css = "--font:\(typography.family);--font-features:\(typography.features);"
        for style in PTTypography.Style.allCases {
            let font = typography[style]
            css += "--type-\(style.rawValue):\(font.weight) \(font.size.css)/\(font.line) var(--font);"
            css += "--track-\(style.rawValue):\(font.tracking.css);"
        }
        for (name, length) in spacing.named { css += "--space-\(name):\(length.css);" }
        for (name, length) in radius.named { css += "--radius-\(name):\(length.css);" }
        for name in PTSizes.Name.allCases { css += "--size-\(kebab(name.rawValue)):\(sizes[name].css);" }
        for (name, curve) in motion.curves {
            css += "--motion-\(kebab(name)):\(curve.duration.css) \(curve.timing);"
        }
        for (name, delay) in motion.delays.sorted(by: { $0.key < $1.key }) {
            css += "--delay-\(kebab(name)):\(delay.css);"
        }
        return css
    }

    private var keyframes: String {
        motion.transitions.map { name, transition in
            var from = transition.opacity.map { "opacity:\($0.formattedForCSS);" } ?? ""
            if let shift = transition.shiftY { from += "translate:0 \(shift.css);" }
            if let scale = transition.scale { from += "scale:\(scale.formattedForCSS);" }
            if let angle = transition.rotate { from += "rotate:\(angle);" }
            return "@keyframes pt-\(kebab(name)){from{\(from)}}"
        }.joined(separator: "\n")
    }
}

/// Converts `surfaceAlt` to `surface-alt`, `clay.3` to `clay-3`.
private func kebab(_ name: String) -> String {
    var result = ""
    for character in name {
        if character == "." {
            result += "-"
        } else if character.isUppercase {
            result += "-" + character.lowercased()
        } else {
            result.append(character)
        }
    }
    return result
}

extension Double {
    /// The number without the `.0` of a whole number.
    fileprivate var formattedForCSS: String { self == rounded() ? String(Int(self)) : String(self) }
}
