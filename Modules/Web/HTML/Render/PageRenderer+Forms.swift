import DesignSystem
import Domain

extension PageRenderer {
    mutating func form(_ form: PTForm) {
        let id = "form-\(form.id)"
        let hasFile = form.fields.contains { field in
            switch field.kind {
            case .file, .photos: true
            default: false
            }
        }
        html.raw("<form class=\"")
        switch form.style {
        case .plain, .card: html.raw("pt-form")
        case .capture: html.raw("pt-form pt-capture")
        case .wizard: html.raw("pt-form pt-form--wizard")
        case .inline: html.raw("pt-form pt-form--inline")
        case .instant: html.raw("pt-form pt-form--instant")
        }
        html.raw("\" method=\"post\" action=\"")
        html.url(form.action)
        html.raw("\"")
        html.attribute(" id=", id)
        if hasFile { html.raw(" enctype=\"multipart/form-data\"") }
        html.raw(form.style == .instant ? " data-command data-instant" : " data-command")
        if form.style != .instant, form.fields.contains(where: { $0.kind == .multiline }) {
            html.attribute(" data-draft=", context.school ?? "")
        }
        commandAttributes(form.confirmation, isQueued: form.isQueued)
        if let uploads = form.uploads {
            html.raw(" data-uploads=\"")
            html.url(uploads)
            html.raw("\"")
        }
        if let passkey = form.passkey {
            html.attribute(" data-passkey=", passkey.kind.rawValue)
            html.attribute(" data-passkey-options=", passkey.options)
            html.raw(" hidden")
        }
        html.raw(">")
        errors(of: form, id: id)
        let isOnCard = form.style != .plain && form.style != .inline && form.style != .instant
        if isOnCard { html.raw("<div class=\"pt-card pt-card--roomy pt-stack pt-form__fields\">") }
        fields(of: form, id: id)
        for field in form.fields where field.kind == .hidden { hidden(field.name, field.value) }
        // With two commands, each button names its own target.
        let to = form.to.map { placed($0) } ?? after
        let targets = (form.alternate != nil ? to : nil, form.alternate?.action?.to ?? after)
        hidden("_key", form.key)
        hidden("_from", from)
        if !form.celebrates { hidden("_feedback", "toast") }
        if form.alternate == nil, let target = to { hidden("_to", target) }
        var later: (String, PTCommandCall)?
        if let alternate = form.alternate { submit(alternate, within: form.action, to: targets.1) }
        if form.style == .wizard {
            html.raw("</div><div class=\"pt-actionbar\">")
            later = secondary(of: form, id: id)
            submit(form.submit, within: nil, to: targets.0, isWide: false)
            html.raw("</div>")
        } else {
            submit(
                form.submit, within: nil, to: targets.0,
                isLarge: form.style != .inline && form.style != .instant && form.style != .capture,
                isWide: form.style != .inline && form.style != .capture)
            later = secondary(of: form, id: id)
            if isOnCard { html.raw("</div>") }
        }
        html.raw("</form>")
        // Forms cannot be nested, so the second command's form follows.
        if let (id, call) = later {
            openForm(call, id: id)
            html.raw("</form>")
        }
    }

    private mutating func secondary(of form: PTForm, id: String) -> (String, PTCommandCall)? {
        guard var button = form.secondary else { return nil }
        if button.role == .primary { button.role = .quiet }
        if form.style != .inline { button.size = .large }
        if form.style != .wizard, form.style != .inline { button.isWide = true }
        guard case .perform(let call) = button.action else {
            self.button(button)
            return nil
        }
        html.raw("<button type=\"submit\" form=\"")
        html.text(id)
        html.raw("-2\"")
        html.raw(PageRenderer.attributes(button.role, button.size, isWide: button.isWide))
        html.attribute(" aria-label=", button.spoken)
        html.raw(">")
        buttonLabel(button.icon, button.title)
        html.raw("</button>")
        return (id + "-2", call)
    }

    /// Writes the faults above the fields, with links to the fields when there are several.
    private mutating func errors(of form: PTForm, id: String) {
        let faulty = form.faulty
        guard form.error != nil || faulty.count > 1 else { return }
        html.raw("<div class=\"pt-banner pt-banner--danger pt-form__errors\" role=\"alert\" tabindex=\"-1\">")
        icon(.alert)
        html.raw("<div class=\"pt-banner__text\"><b>")
        html.text(form.error ?? word("web.form.errors", faulty.count))
        html.raw("</b>")
        if faulty.count > 1 {
            html.raw("<ul>")
            for field in faulty {
                html.raw("<li><a href=\"#")
                html.text(id)
                html.raw("-")
                html.text(field.name)
                html.raw("\">")
                // The message itself is at the field only.
                html.text(field.label)
                html.raw("</a></li>")
            }
            html.raw("</ul>")
        }
        html.raw("</div></div>")
    }

    /// Writes the fields in order; half-width ones in pairs.
    private mutating func fields(of form: PTForm, id: String) {
        var isInPair = false
        let folded = form.fields.filter { $0.isFolded && $0.kind != .hidden }
        for field in form.fields where field.kind != .hidden && !field.isFolded {
            let isHalf = field.width == .half
            if isHalf != isInPair {
                html.raw(isHalf ? "<div class=\"pt-pair\">" : "</div>")
                isInPair = isHalf
            }
            self.field(field, id: "\(id)-\(field.name)", hidesLabel: form.style == .capture)
        }
        if isInPair { html.raw("</div>") }
        if let voice = form.voice { self.voice(voice) }
        guard !folded.isEmpty else { return }
        html.raw("<details class=\"pt-disclosure\"")
        html.raw(folded.contains { $0.error != nil } ? " open><summary><span>" : "><summary><span>")
        html.text(form.foldTitle ?? "")
        html.raw("</span>")
        icon(.chevronDown, "pt-icon pt-icon--small")
        html.raw("</summary><div class=\"pt-stack\">")
        for field in folded { self.field(field, id: "\(id)-\(field.name)") }
        html.raw("</div></details>")
    }

    /// - Parameter hidesLabel: whether only screen readers get the label.
    private mutating func field(_ field: PTField, id: String, hidesLabel: Bool = false) {
        switch field.kind {
        case .choice(let options): choice(field, options, id: id, hidesLabel: hidesLabel)
        case .multipleChoice(let options): choices(field, options, id: id)
        case .toggle: toggle(field, id: id)
        case .tint(let initials, let from): tints(field, initials, from, id: id)
        case .hidden: break
        case .photos(let side, let max): photos(field, side: side, max: max, id: id)
        default:
            html.raw("<div class=\"pt-field\"><label class=\"pt-field__label")
            html.raw(hidesLabel ? " pt-hidden\"" : "\"")
            html.attribute(" for=", id)
            html.raw(">")
            html.text(field.label)
            html.raw("</label>")
            control(field, id: id)
            notes(of: field, id: id)
            html.raw("</div>")
        }
    }

    // MARK: - Text fields

    private mutating func control(_ field: PTField, id: String) {
        switch field.kind {
        case .multiline:
            html.raw("<textarea class=\"pt-input\" rows=\"4\" dir=\"auto\"")
            common(field, id: id)
            html.raw(">")
            // HTML parsers drop the first line feed of a textarea.
            if field.value.first == "\n" { html.raw("\n") }
            html.text(field.value)
            html.raw("</textarea>")
        case .select(let options):
            html.raw("<div class=\"pt-field__wrap pt-field__wrap--select\"><select class=\"pt-input\"")
            common(field, id: id)
            html.raw(">")
            if let placeholder = field.placeholder {
                html.raw("<option value=\"\">")
                html.text(placeholder)
                html.raw("</option>")
            }
            for option in options {
                html.raw("<option")
                html.attribute(" value=", option.value)
                if option.value == field.value { html.raw(" selected") }
                html.raw(">")
                html.text(option.title)
                html.raw("</option>")
            }
            html.raw("</select>")
            icon(.chevronDown, "pt-icon pt-icon--small")
            html.raw("</div>")
        case .password, .newPassword:
            html.raw("<div class=\"pt-field__wrap\"><input class=\"pt-input\" type=\"password\"")
            common(field, id: id)
            if field.autocomplete == nil {
                html.raw(
                    field.kind == .password
                        ? " autocomplete=\"current-password\"" : " autocomplete=\"new-password\"")
            }
            html.raw("><button class=\"pt-icon-button pt-icon-button--muted\" type=\"button\" hidden data-reveal")
            html.attribute(" aria-label=", word("web.password.show"))
            html.raw(" aria-pressed=\"false\">")
            icon(.eye)
            html.raw("</button></div>")
        case .code:
            html.raw("<div class=\"pt-field__wrap pt-field__wrap--code\"><input class=\"pt-input pt-input--code\"")
            html.raw(" type=\"text\" autocapitalize=\"characters\" spellcheck=\"false\" autocorrect=\"off\"")
            common(field, id: id)
            if field.autocomplete == nil { html.raw(" autocomplete=\"off\"") }
            html.attribute(" value=", field.value)
            html.raw("><span class=\"pt-field__tools\">")
            html.raw("<button class=\"pt-icon-button pt-icon-button--muted\" type=\"button\" hidden data-paste")
            html.attribute(" aria-label=", word("web.code.paste"))
            html.raw(">")
            icon(.copy)
            html.raw(
                "</button><button class=\"pt-icon-button pt-icon-button--muted\" type=\"button\" hidden data-scan")
            html.attribute(" aria-label=", word("web.code.scan"))
            html.raw(">")
            icon(.scan)
            html.raw("</button></span></div>")
        case .file(let accept):
            html.raw("<input class=\"pt-input pt-input--file\" type=\"file\"")
            common(field, id: id)
            if !accept.isEmpty { html.attribute(" accept=", accept.joined(separator: ",")) }
            if field.isMultiple { html.raw(" multiple") }
            html.raw(">")
        default:
            html.raw("<input class=\"pt-input\"")
            switch field.kind {
            case .email: html.raw(" type=\"email\" autocapitalize=\"none\" spellcheck=\"false\"")
            case .number: html.raw(" type=\"text\" inputmode=\"numeric\"")
            case .date: html.raw(" type=\"date\"")
            default: html.raw(" type=\"text\" dir=\"auto\"")
            }
            common(field, id: id)
            if !field.value.isEmpty { html.attribute(" value=", field.value) }
            html.raw(">")
        }
    }

    /// Writes a voice input, which the runtime shows in browsers that can record.
    private mutating func voice(_ voice: PTVoiceInput) {
        html.raw("<div class=\"pt-voice\" hidden data-voice=\"")
        html.url(voice.action)
        html.raw("\" data-longest=\"")
        html.number(voice.longest)
        html.raw("\"><button class=\"pt-icon-button pt-icon-button--tonal\" type=\"button\" data-voice-start")
        html.attribute(" aria-label=", word("web.voice.record"))
        html.raw(">")
        icon(.mic)
        html.raw("</button><div class=\"pt-voice__panel\" hidden role=\"group\"")
        html.attribute(" aria-label=", word("web.voice.recording"))
        html.raw("><span class=\"pt-voice__time\" role=\"timer\">0:00</span>")
        html.raw("<button class=\"pt-button pt-button--tonal\" type=\"button\" data-voice-stop>")
        html.text(word("web.voice.stop"))
        html.raw("</button>")
        html.raw(
            "<button class=\"pt-button pt-button--quiet\" type=\"button\" data-voice-discard>")
        html.text(word("web.voice.discard"))
        html.raw("</button>")
        if voice.canKeep {
            html.raw("<label class=\"pt-voice__keep\"><span>")
            html.text(word("web.voice.keep"))
            html.raw("</span><input class=\"pt-input\" type=\"text\" maxlength=\"200\" data-voice-keep")
            html.attribute(" aria-label=", word("web.voice.keep"))
            html.attribute(" placeholder=", word("web.voice.keepWho"))
            html.raw("></label>")
        }
        html.raw("</div><p class=\"pt-voice__status\" role=\"status\"></p></div>")
    }

    /// Writes a file field, which the runtime replaces by a button with previews.
    private mutating func photos(_ field: PTField, side: Int, max: Int, id: String) {
        html.raw("<div class=\"pt-field pt-photos\"><label class=\"pt-photos__label\"")
        html.attribute(" for=", id)
        html.raw(">")
        icon(.camera, "pt-icon pt-icon--small")
        html.text(field.label)
        html.raw("</label><input class=\"pt-input pt-input--file pt-photos__input\" type=\"file\"")
        // Without HEIC in the list, an iPhone converts to JPEG.
        html.raw(" accept=\"image/jpeg,image/png,image/webp\"")
        if max > 1 { html.raw(" multiple") }
        html.raw(" data-photos=\"")
        html.number(side)
        html.raw("\" data-max=\"")
        html.number(max)
        html.raw("\"")
        common(field, id: id)
        html.raw(">")
        notes(of: field, id: id)
        html.raw("</div>")
    }

    private mutating func common(_ field: PTField, id: String) {
        html.attribute(" id=", id)
        html.attribute(" name=", field.name)
        html.attribute(" autocomplete=", field.autocomplete)
        html.attribute(" placeholder=", field.placeholder)
        if let limit = field.maxLength {
            html.raw(" maxlength=\"")
            html.number(limit)
            html.raw("\"")
        }
        if field.isRequired { html.raw(" required") }
        described(field, id: id)
    }

    mutating func described(_ field: PTField, id: String) {
        guard field.hint != nil || field.error != nil else { return }
        html.raw(" aria-describedby=\"")
        if field.error != nil {
            html.text(id)
            html.raw("-error ")
        }
        if field.hint != nil {
            html.text(id)
            html.raw("-hint")
        }
        html.raw(field.error == nil ? "\"" : "\" aria-invalid=\"true\"")
    }

    mutating func notes(of field: PTField, id: String) {
        if let error = field.error {
            html.raw("<p class=\"pt-field__error\" id=\"")
            html.text(id)
            html.raw("-error\">")
            icon(.alert, "pt-icon pt-icon--tiny")
            html.raw("<span>")
            html.text(error)
            html.raw("</span></p>")
        }
        if let hint = field.hint {
            html.raw("<p class=\"pt-field__hint\" id=\"")
            html.text(id)
            html.raw("-hint\">")
            html.text(hint)
            html.raw("</p>")
        }
    }
}
