public import Domain

/// Fields that go to a command together.
public struct PTForm: Codable, Hashable, Sendable {
    /// How the form stands on its page.
    public enum Style: String, Codable, Sendable, Hashable, CaseIterable {
        /// Fields and button one under the other.
        case plain
        /// The same on a card.
        case card
        /// Fields on a card, the buttons in the bar at the bottom of the wizard.
        case wizard
        /// One field and its button side by side.
        case inline
        /// Sent as soon as a field changes; the button shows only without scripting.
        case instant
        /// A note in a hurry: the choice on top, the text without a frame.
        case capture
    }
    /// Unique on its page.
    public var id: String
    /// The command's URL.
    public var action: String
    public var fields: [PTField]
    public var submit: SubmitButton
    /// A second command that takes the same fields: "Add another" beside "Finish". It stands with the
    /// fields and is what the return key does.
    public var alternate: SubmitButton?
    /// A way out beside the button: Back, Cancel.
    public var secondary: PTButton?
    /// The idempotency key.
    public var key: String
    /// The page to open on success; the present page otherwise.
    public var to: String?
    public var style: Style
    /// What is wrong with the whole, told above the fields.
    public var error: String?
    /// A question to answer first.
    public var confirmation: PTConfirmation?
    /// What the device is asked for first; the form shows only where it can.
    public var passkey: PTPasskeyCeremony?
    /// A microphone beside the text.
    public var voice: PTVoiceInput?
    /// Title of what the folded fields stand behind.
    public var foldTitle: String?
    /// Whether what was typed waits on the device where there is no network.
    public var isQueued: Bool
    /// Whether success may be celebrated with a burst. A sheet that closes at once tells of it in a toast.
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

    /// The fields that have an error.
    public var faulty: [PTField] { fields.filter { $0.error != nil } }
}

/// The person's authenticator makes a passkey or uses one (Web Authentication); what it answers goes with the
/// form, in the hidden fields named for its parts.
public struct PTPasskeyCeremony: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable { case create, use }
    public var kind: Kind
    /// The URL of the command that answers the challenge; it takes the form's password, where there is one.
    public var options: String

    public init(_ kind: Kind, options: String) {
        self.kind = kind
        self.options = options
    }
}

/// Speaking in the place of typing: recorded on the device, sent to a command of its own, and what was said is
/// added to the text.
public struct PTVoiceInput: Codable, Hashable, Sendable {
    /// The URL of the command that takes the recording.
    public var action: String
    /// Whether the speaker may have the recording kept beside its text.
    public var canKeep: Bool

    public init(action: String, canKeep: Bool) {
        self.action = action
        self.canKeep = canKeep
    }
}

/// One thing to enter or to choose.
public struct PTField: Codable, Hashable, Sendable {
    /// One of several values.
    public struct Option: Codable, Hashable, Sendable {
        public var value: String
        public var title: String
        /// A line that explains it.
        public var detail: String?
        /// What is chosen, where it can be seen.
        public var image: PTImage?

        public init(value: String, title: String, detail: String? = nil, image: PTImage? = nil) {
            self.value = value
            self.title = title
            self.detail = detail
            self.image = image
        }
    }
    /// What is entered, and with it which keyboard and which control.
    public enum Kind: Codable, Hashable, Sendable {
        case text
        case email
        case password
        case newPassword
        case multiline
        case number
        /// A calendar day; the value is `2026-11-21`.
        case date
        /// An invite code, with paste and, where the device can, scan.
        case code
        /// One of many, in a menu.
        case select([Option])
        /// One of a few, side by side.
        case choice([Option])
        /// Some of several; the chosen ones are in `values`.
        case multipleChoice([Option])
        /// On or off; the value is `true` or `false`.
        case toggle
        /// The tint of an avatar that shows `initials`, or live those of the fields named in `from`.
        case tint(initials: String, from: [String])
        /// A file; `accept` lists media types, such as `image/*`.
        case file(accept: [String])
        /// Photos, at most `max`. A device that can makes them smaller before it sends them: the longer side in pixels.
        case photos(side: Int, max: Int)
        case hidden
    }
    /// How wide it stands: two halves in a row stand side by side.
    public enum Width: String, Codable, Sendable, Hashable { case full, half }

    public var kind: Kind
    public var name: String
    public var label: String
    public var value: String
    /// The chosen values of a multiple choice.
    public var values: [String]
    public var hint: String?
    public var error: String?
    public var isRequired: Bool
    /// What a browser may fill in (HTML 4.10.18.7): `email`, `given-name`, `one-time-code`, ...
    public var autocomplete: String?
    public var maxLength: Int?
    public var placeholder: String?
    public var width: Width
    /// Whether a file field takes several files at once.
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

    /// A value that goes with the form unseen.
    public static func hidden(_ name: String, _ value: String) -> PTField {
        PTField(.hidden, name: name, label: "", value: value)
    }

    /// A picker of an avatar's tint with the names of the tints in the reader's language.
    public static func tint(
        name: String, label: String, initials: String, from: [String] = [], value: Tint = .sand,
        titles: [Tint: String]
    ) -> PTField {
        var field = PTField(.tint(initials: initials, from: from), name: name, label: label, value: value.rawValue)
        field.tintTitles = titles
        return field
    }

    /// The spoken names of the tints; the tint's own word where one is missing.
    public var tintTitles: [Tint: String] = [:]
    /// Whether it is folded away until it is wanted, or faulty.
    public var isFolded = false
}
