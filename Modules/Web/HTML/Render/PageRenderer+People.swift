import DesignSystem
import Domain

extension PageRenderer {
    mutating func avatar(_ avatar: PTAvatar) {
        html.raw("<span class=\"pt-avatar")
        switch avatar.size {
        case .small: html.raw(" pt-avatar--small")
        case .regular: break
        case .large: html.raw(" pt-avatar--large")
        }
        look(avatar.tint, avatar.shape)
        if let spoken = avatar.spoken {
            html.raw("\" role=\"img\"")
            html.attribute(" aria-label=", spoken)
            html.raw(">")
        } else {
            html.raw("\" aria-hidden=\"true\">")
        }
        // The initials are visible until the picture has loaded, or when it fails.
        html.text(avatar.initials)
        if let image = avatar.imageURL {
            html.raw("<img src=\"")
            html.url(image)
            html.raw("\" alt=\"\" loading=\"lazy\" decoding=\"async\">")
        }
        html.raw("</span>")
    }

    mutating func audio(_ audio: PTAudio) {
        html.raw("<audio class=\"pt-audio\" controls preload=\"none\" src=\"")
        html.url(audio.url)
        html.raw("\"")
        html.attribute(" aria-label=", audio.label)
        html.raw("></audio>")
    }

    /// Writes a picture over an icon, which is visible until it has loaded, or when it fails.
    mutating func image(_ image: PTImage) {
        let tag = image.large == nil ? "span" : "a"
        html.raw(image.large == nil ? "<span class=\"pt-image" : "<a data-photo class=\"pt-image")
        switch image.shape {
        case .circle: html.raw(" pt-image--circle\"")
        case .banner: html.raw(" pt-image--banner\"")
        case .page: html.raw(" pt-image--page\"")
        case .logo: html.raw(" pt-image--logo\"")
        case .rounded: html.raw("\"")
        }
        if let large = image.large {
            html.raw(" href=\"")
            html.url(large)
            html.raw("\"")
            html.attribute(" aria-label=", image.alt)
        }
        html.raw(">")
        icon(.photo)
        bare(image)
        html.raw("</")
        html.text(tag)
        html.raw(">")
    }

    /// Writes the picture, with its space reserved while it loads.
    mutating func bare(_ image: PTImage) {
        html.raw("<img src=\"")
        html.url(image.url)
        html.raw("\" width=\"")
        html.number(image.width)
        html.raw("\" height=\"")
        html.number(image.height)
        html.raw("\"")
        html.attribute(" alt=", image.alt)
        html.raw(" loading=\"lazy\" decoding=\"async\">")
    }

    /// Writes the classes of a tint and a shape; sand and the first shape need none.
    mutating func look(_ tint: Tint, _ shape: PTAvatar.Shape) {
        self.tint(tint)
        switch shape {
        case .a: break
        case .b: html.raw(" pt-shape-b")
        case .c: html.raw(" pt-shape-c")
        case .d: html.raw(" pt-shape-d")
        }
    }

    mutating func tint(_ tint: Tint) {
        switch tint {
        case .sand: html.raw(" pt-tint-sand")
        case .clay: html.raw(" pt-tint-clay")
        case .leaf: html.raw(" pt-tint-leaf")
        case .sky: html.raw(" pt-tint-sky")
        case .berry: html.raw(" pt-tint-berry")
        }
    }

    /// Writes a form, so that one tap works without scripts. The runtime reads the texts of the other states from
    /// `data-` attributes.
    mutating func check(_ check: PTCheck) {
        let shape = check.shape == .square ? " pt-check--square" : ""
        if let call = check.call {
            hasTaps = true
            html.raw("<form class=\"pt-command\" method=\"post\" action=\"")
            html.url(call.path)
            html.raw("\" data-tap>")
            inputs(call.fields)
            commandInputs(key: call.key, to: call.to)
            html.raw("<button class=\"pt-check")
            html.text(shape)
            html.raw("\" type=\"submit\" role=\"checkbox\" name=\"wish\"")
            html.raw(check.isOn ? " value=\"open\" data-state=\"done\"" : " value=\"done\" data-state=\"open\"")
            html.attribute(" data-spoken=", check.spoken)
        } else {
            html.raw("<span class=\"pt-check pt-check--fixed")
            html.text(shape)
            html.raw("\" role=\"checkbox\" aria-disabled=\"true\"")
        }
        html.raw(check.isOn ? " aria-checked=\"true\"" : " aria-checked=\"false\"")
        html.attribute(" aria-label=", check.spoken)
        html.raw(">")
        icon(.check)
        html.raw(check.call != nil ? "</button></form>" : "</span>")
    }

    mutating func attendance(_ pill: PTAttendancePill) {
        if pill.isEnabled {
            hasTaps = true
            html.raw("<form class=\"pt-command\" method=\"post\" action=\"")
            html.url(pill.call.path)
            html.raw("\" data-tap")
            commandAttributes(pill.call.confirmation)
            html.raw(">")
            inputs(pill.call.fields)
            commandInputs(key: pill.call.key, to: pill.call.to)
            html.raw("<button class=\"pt-attendance\" type=\"submit\"")
            html.attribute(" name=", pill.stateField)
            html.attribute(" value=", pill.labels[pill.next].value ?? pill.next.rawValue)
        } else {
            html.raw("<span class=\"pt-attendance pt-attendance--fixed\" role=\"img\"")
        }
        switch pill.state {
        case .present: html.raw(" data-state=\"present\"")
        case .absent: html.raw(" data-state=\"absent\"")
        case .unset: html.raw(" data-state=\"unset\"")
        }
        switch pill.sync {
        case .none: break
        case .pending: html.raw(" data-sync=\"pending\"")
        case .failed: html.raw(" data-sync=\"failed\"")
        }
        let label = pill.labels[pill.state]
        html.attribute(" aria-label=", label.spoken)
        if pill.isEnabled {
            html.attribute(" data-as-present=", pill.labels.present.value)
            html.attribute(" data-as-absent=", pill.labels.absent.value)
            html.attribute(" data-present=", pill.labels.present.title)
            html.attribute(" data-absent=", pill.labels.absent.title)
            html.attribute(" data-spoken-present=", pill.labels.present.spoken)
            html.attribute(" data-spoken-absent=", pill.labels.absent.spoken)
            if let told = pill.labels.present.announced { html.attribute(" data-told-present=", told) }
            if let told = pill.labels.absent.announced { html.attribute(" data-told-absent=", told) }
        }
        html.raw(">")
        switch (pill.sync, pill.state) {
        case (.pending, _): icon(.sync, "pt-icon pt-icon--tiny")
        case (.failed, _): icon(.retry, "pt-icon pt-icon--tiny")
        case (.none, .present): icon(.check, "pt-icon pt-icon--tiny")
        case (.none, .absent): icon(.minus, "pt-icon pt-icon--tiny")
        case (.none, .unset): break
        }
        html.raw("<span>")
        html.text(pill.sync == .failed ? word("web.retry") : label.title)
        html.raw(pill.isEnabled ? "</span></button></form>" : "</span></span>")
    }
}
