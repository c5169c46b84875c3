import DesignSystem
import Domain

// Fields with options: choices, toggles and tints.

extension PageRenderer {
    private mutating func openGroup(_ field: PTField, id: String, hidesLabel: Bool = false) {
        html.raw("<fieldset class=\"pt-field\"")
        html.attribute(" id=", id)
        html.raw(" tabindex=\"-1\"")
        described(field, id: id)
        html.raw("><legend class=\"pt-field__label")
        html.raw(hidesLabel ? " pt-hidden\">" : "\">")
        html.text(field.label)
        html.raw("</legend>")
    }

    private mutating func closeGroup(_ field: PTField, id: String) {
        notes(of: field, id: id)
        html.raw("</fieldset>")
    }

    mutating func choice(
        _ field: PTField, _ options: [PTField.Option], id: String, hidesLabel: Bool
    ) {
        openGroup(field, id: id, hidesLabel: hidesLabel)
        let isList = options.contains { $0.detail != nil } || options.count > 4
        html.raw(isList ? "<div class=\"pt-options\">" : "<div class=\"pt-segmented\">")
        for option in options {
            self.option(
                option, of: field, isList: isList, type: " type=\"radio\"", isOn: option.value == field.value)
        }
        html.raw("</div>")
        closeGroup(field, id: id)
    }

    mutating func choices(_ field: PTField, _ options: [PTField.Option], id: String) {
        openGroup(field, id: id)
        // A long list is in two columns where there is room for them.
        html.raw(options.count > 12 ? "<div class=\"pt-options pt-options--many\">" : "<div class=\"pt-options\">")
        for option in options {
            self.option(
                option, of: field, isList: true, type: " type=\"checkbox\"",
                isOn: field.values.contains(option.value))
        }
        html.raw("</div>")
        closeGroup(field, id: id)
    }

    private mutating func option(
        _ option: PTField.Option, of field: PTField, isList: Bool, type: StaticString, isOn: Bool
    ) {
        html.raw(isList ? "<label class=\"pt-option\"><input" : "<label><input")
        html.raw(type)
        html.attribute(" name=", field.name)
        html.attribute(" value=", option.value)
        html.raw(isOn ? " checked>" : ">")
        if let image = option.image { self.image(image) }
        if let icon = option.icon { self.icon(icon) }
        html.raw("<span class=\"pt-option__text\"><span dir=\"auto\">")
        html.text(option.title)
        html.raw("</span>")
        if let detail = option.detail {
            html.raw("<small>")
            html.text(detail)
            html.raw("</small>")
        }
        html.raw("</span></label>")
    }

    mutating func toggle(_ field: PTField, id: String) {
        html.raw("<div class=\"pt-field\"><label class=\"pt-toggle\"><span class=\"pt-field__label\">")
        html.text(field.label)
        html.raw("</span><input class=\"pt-switch\" type=\"checkbox\" role=\"switch\" value=\"true\"")
        html.attribute(" id=", id)
        html.attribute(" name=", field.name)
        described(field, id: id)
        html.raw(field.value == "true" ? " checked></label>" : "></label>")
        notes(of: field, id: id)
        html.raw("</div>")
    }

    mutating func tints(_ field: PTField, _ initials: String, _ from: [String], id: String) {
        openGroup(field, id: id)
        html.raw("<div class=\"pt-picks\"")
        if !from.isEmpty { html.attribute(" data-initials=", from.joined(separator: " ")) }
        html.raw(">")
        for (index, tint) in Tint.allCases.enumerated() {
            html.raw("<label class=\"pt-pick\"><input type=\"radio\"")
            html.attribute(" name=", field.name)
            html.attribute(" value=", tint.rawValue)
            html.raw(field.value == tint.rawValue ? " checked>" : ">")
            html.raw("<span class=\"pt-hidden\">")
            html.text(field.tintTitles[tint] ?? word("web.tint.\(tint.rawValue)"))
            html.raw("</span>")
            avatar(
                PTAvatar(
                    initials: initials, tint: tint,
                    shape: PTAvatar.Shape.allCases[index % PTAvatar.Shape.allCases.count]))
            html.raw("</label>")
        }
        html.raw("</div>")
        closeGroup(field, id: id)
    }
}
