import DesignSystem
import Domain

// Search, segments, chips and steppers.

extension PageRenderer {
    mutating func search(_ search: PTSearchField) {
        html.raw("<form class=\"pt-search\" role=\"search\" method=\"get\" data-search action=\"")
        html.url(search.path)
        html.raw("\"")
        if let command = search.remembering { html.attribute(" data-remember=", command) }
        html.raw(">")
        inputs(search.keeping)
        html.raw("<div class=\"pt-field__wrap pt-field__wrap--lead\">")
        icon(.search, "pt-icon pt-icon--small")
        html.raw(
            "<input class=\"pt-input pt-input--pill\" type=\"search\" autocomplete=\"off\" enterkeyhint=\"search\"")
        html.attribute(" id=", "\(root == nil ? "" : "sheet-")search-\(search.name)")
        html.attribute(" name=", search.name)
        html.attribute(" value=", search.value)
        html.attribute(" placeholder=", search.placeholder)
        html.attribute(" aria-label=", search.label)
        html.raw("></div><button class=\"pt-hidden\" type=\"submit\" tabindex=\"-1\">")
        html.text(search.label)
        html.raw("</button></form>")
    }

    mutating func segments(_ control: PTSegmentedControl) {
        html.raw("<nav class=\"pt-segmented\"")
        html.attribute(" aria-label=", control.label)
        html.raw(">")
        for segment in control.segments {
            html.raw("<a href=\"")
            html.url(segment.path)
            html.raw(segment.isSelected ? "\" aria-current=\"true\">" : "\">")
            html.text(segment.title)
            html.raw("</a>")
        }
        html.raw("</nav>")
    }

    mutating func chips(_ chips: PTChips) {
        // More than two rows on a phone would push the content away, so the chips get one scrolling row.
        html.raw(
            chips.chips.count > 8
                ? "<div class=\"pt-chips pt-chips--scroll\" role=\"group\""
                : "<div class=\"pt-chips\" role=\"group\"")
        html.attribute(" aria-label=", chips.label)
        html.raw(">")
        for menu in chips.menus { self.menu(menu) }
        for chip in chips.chips {
            open(
                chip.action,
                chip.isSelected ? " class=\"pt-chip\" aria-current=\"true\"" : " class=\"pt-chip\"")
            if chip.isSelected {
                icon(.check, "pt-icon pt-icon--tiny")
            } else if let icon = chip.icon {
                self.icon(icon, "pt-icon pt-icon--tiny")
            }
            html.text(chip.title)
            close(chip.action)
        }
        html.raw("</div>")
    }

    private mutating func menu(_ menu: PTChips.Menu) {
        let chosen = menu.choices.firstIndex(where: \.isSelected)
        html.raw("<details class=\"pt-more pt-more--chip\" data-menu><summary class=\"pt-chip\"")
        let title = chosen.map { menu.choices[$0].title } ?? menu.label
        html.attribute(" aria-label=", word("web.menu.chosen", menu.label, title))
        if chosen != 0 { html.raw(" aria-current=\"true\"") }
        html.raw(">")
        html.text(title)
        icon(.chevronDown, "pt-icon pt-icon--tiny")
        html.raw("</summary><ul class=\"pt-menu\">")
        for choice in menu.choices {
            html.raw("<li>")
            open(
                choice.action,
                choice.isSelected ? " class=\"pt-menu__item\" aria-current=\"true\"" : " class=\"pt-menu__item\"")
            html.text(choice.title)
            if choice.isSelected { icon(.check, "pt-icon pt-icon--small") }
            close(choice.action)
            html.raw("</li>")
        }
        html.raw("</ul></details>")
    }

    mutating func stepper(_ stepper: PTStepper) {
        html.raw("<nav")
        html.attribute(" aria-label=", stepper.label)
        html.raw("><ol class=\"pt-stepper\">")
        for (index, step) in stepper.steps.enumerated() {
            if index < stepper.current {
                html.raw("<li data-state=\"done\"><i>")
                icon(.check, "pt-icon pt-icon--small")
            } else {
                html.raw(index == stepper.current ? "<li aria-current=\"step\"><i>" : "<li><i>")
                html.number(index + 1)
            }
            html.raw("</i>")
            html.text(step)
            if index < stepper.current {
                html.raw("<span class=\"pt-hidden\">, ")
                html.text(word("web.step.done"))
                html.raw("</span>")
            }
            html.raw("</li>")
        }
        html.raw("</ol></nav>")
    }
}
