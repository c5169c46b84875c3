public import Domain

/// A form whose fields are sent to a command.
public struct PTForm: Codable, Hashable, Sendable {
    /// The layout of a form's fields and buttons.
    public enum Style: String, Codable, Sendable, Hashable, CaseIterable {
        /// The fields and the button are below one another.
        case plain
        /// The fields and the button are below one another, on a card.
        case card
        /// The fields are on a card, and the buttons in the bar at the bottom of the wizard.
        case wizard
        /// One field and its button are side by side.
        case inline
        /// The form is sent as soon as a field changes; the button shows only without scripting.
        case instant
        /// The form is for a note that is written in a hurry: the choice is above the text field, which has no frame.
        case capture
    }
    /// The id of the form, unique on its page.
    public var id: String
    /// The path of the command that receives the fields of the form.
    public var action: String
    public var fields: [PTField]
    public var submit: SubmitButton
    /// A second command that takes the same fields: "Add another" beside "Finish". Its button is beside the fields
    /// and is triggered by the return key.
    public var alternate: SubmitButton?
    /// A button that leaves the form without sending it: Back, Cancel.
    public var secondary: PTButton?
    /// The idempotency key of the form: the server runs a form that is sent twice only once.
    public var key: String
    /// The path of the page to open after success; `nil` for the current page.
    public var to: String?
    public var style: Style
    /// The error of the form as a whole, shown above the fields.
    public var error: String?
    /// A question that the person must confirm before the form is sent; `nil` for none.
    public var confirmation: PTConfirmation?
    /// The use of a passkey that the device asks for before the form is sent. The form is hidden on devices without
    /// passkeys.
    public var passkey: PTPasskeyCeremony?
    /// A microphone beside the text field, for dictation; `nil` for none.
    public var voice: PTVoiceInput?
    /// The title of the section of the form that is folded away until it is needed (`PTField.isFolded`).
    public var foldTitle: String?
    /// Whether the sent form waits on the device while there is no network.
    public var isQueued: Bool
    /// The path to which devices send large files of the form in parts before the form; `nil` if they go with it.
    public var uploads: String?
    /// Whether success may be celebrated with a burst of color. A sheet that closes at once reports success in a
    /// toast.
    public var celebrates = true

    public init(
        id: String, action: String, fields: [PTField], submit: SubmitButton, alternate: SubmitButton? = nil,
        secondary: PTButton? = nil, key: String, to: String? = nil, style: Style = .plain, error: String? = nil,
        confirmation: PTConfirmation? = nil, isQueued: Bool = false
    ) {
        self.id = id
        self.action = action
        self.fields = fields
        self.submit = submit
        self.alternate = alternate
        self.secondary = secondary
        self.key = key
        self.to = to
        self.style = style
        self.error = error
        self.confirmation = confirmation
        self.isQueued = isQueued
    }

    /// The fields of the form that have an error.
    public var faulty: [PTField] { fields.filter { $0.error != nil } }
}

/// The creation or use of a passkey (Web Authentication). Its result is sent in hidden fields of the form that are
/// named after its parts.
public struct PTPasskeyCeremony: Codable, Hashable, Sendable {
    /// The kind of passkey ceremony: creating a passkey, or using one.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable { case create, use }
    public var kind: Kind
    /// The path of the command that returns the challenge for the passkey. It takes the form's password, if there
    /// is one.
    public var options: String

    public init(_ kind: Kind, options: String) {
        self.kind = kind
        self.options = options
    }
}

/// Dictation instead of typing.
///
/// The speech is recorded on the device and sent to a command of its own, and its text is added to the field.
public struct PTVoiceInput: Codable, Hashable, Sendable {
    /// The path of the command that takes the spoken recording.
    public var action: String
    /// Whether the person may have the recording stored with its text.
    public var canKeep: Bool
    /// The seconds after which a recording ends by itself.
    public var longest: Int

    public init(action: String, canKeep: Bool, longest: Int = 600) {
        self.action = action
        self.canKeep = canKeep
        self.longest = longest
    }
}

/// One input field of a form, with its label, value and error.
public struct PTField: Codable, Hashable, Sendable {
    /// One of the values that a field offers to choose from.
    public struct Option: Codable, Hashable, Sendable {
        public var value: String
        public var title: String
        /// A line that explains the value to the reader.
        public var detail: String?
        /// A picture that is shown with the value.
        public var image: PTImage?
        /// An icon that is shown with the value, for readers who know the icon before the word.
        public var icon: PTIcon?

        public init(
            value: String, title: String, detail: String? = nil, image: PTImage? = nil, icon: PTIcon? = nil
        ) {
            self.value = value
            self.title = title
            self.detail = detail
            self.image = image
            self.icon = icon
        }
    }
    /// The kind of input, which determines the keyboard and the control.
    public enum Kind: Codable, Hashable, Sendable {
        case text
        case email
        case password
        case newPassword
        case multiline
        case number
        /// A calendar day, whose value has the form `2026-11-21`.
        case date
        /// A field for an invite code, with a button to paste it and, if the device can, one to scan it.
        case code
        /// A field for one of many values, which are in a menu.
        case select([Option])
        /// A field for one of a few values, which are side by side.
        case choice([Option])
        /// A field for several of the offered values. The chosen ones are in `values`.
        case multipleChoice([Option])
        /// A switch that is on or off. The value is `true` or `false`.
        case toggle
        /// The tint of an avatar. It shows `initials`, or those of the current values of the fields in `from`.
        case tint(initials: String, from: [String])
        /// A field for a file; `accept` lists media types, such as `image/*`.
        case file(accept: [String])
        /// A field for photos, at most `max`. Devices that can reduce them do so before sending, to a longer side
        /// of `side` pixels.
        case photos(side: Int, max: Int)
        case hidden
    }
    /// The width of a field. Two halves in a row are side by side.
    public enum Width: String, Codable, Sendable, Hashable { case full, half }

    public var kind: Kind
    public var name: String
    public var label: String
    public var value: String
    /// The chosen values of a field for several choices.
    public var values: [String]
    public var hint: String?
    public var error: String?
    public var isRequired: Bool
    /// The data that a browser may fill in (HTML section 4.10.18.7): `email`, `given-name`, `one-time-code`, ...
    public var autocomplete: String?
    public var maxLength: Int?
    public var placeholder: String?
    public var width: Width
    /// Whether a file field takes several files.
    public var isMultiple: Bool

    public init(
        _ kind: Kind = .text, name: String, label: String, value: String = "", values: [String] = [],
        hint: String? = nil, error: String? = nil, isRequired: Bool = false, autocomplete: String? = nil,
        maxLength: Int? = nil, placeholder: String? = nil, width: Width = .full, isMultiple: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.label = label
        self.value = value
        self.values = values
        self.hint = hint
        self.error = error
        self.isRequired = isRequired
        self.autocomplete = autocomplete
        self.maxLength = maxLength
        self.placeholder = placeholder
        self.width = width
        self.isMultiple = isMultiple
    }

    /// Creates a field that is sent with the form and not shown.
    public static func hidden(_ name: String, _ value: String) -> PTField {
        PTField(.hidden, name: name, label: "", value: value)
    }

    /// Creates a field for an avatar's tint, with the names of the tints in the reader's language.
    public static func tint(
        name: String, label: String, initials: String, from: [String] = [], value: Tint = .sand,
        titles: [Tint: String]
    ) -> PTField {
        var field = PTField(.tint(initials: initials, from: from), name: name, label: label, value: value.rawValue)
        field.tintTitles = titles
        return field
    }

    /// The names of the tints for a screen reader; the tint's raw value is used for missing ones.
    public var tintTitles: [Tint: String] = [:]
    /// Whether the field is folded away until it is needed, or has an error.
    public var isFolded = false
}
