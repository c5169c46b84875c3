public import Domain
public import Foundation

/// The small picture of a person or a thing: initials on an irregular shape, or a photo.
public struct PTAvatar: Codable, Hashable, Sendable {
    /// The four irregular shapes that an avatar can have.
    public enum Shape: String, Codable, Sendable, Hashable, CaseIterable {
        case a, b, c, d

        /// Chooses the shape for a person from the person's id, so that it is always the same.
        public init(for id: UUID) {
            self = Shape.allCases[Int(id.uuid.14) % Shape.allCases.count]
        }
    }
    /// The size of an avatar: small, regular or large.
    public enum Size: String, Codable, Sendable, Hashable, CaseIterable { case small, regular, large }

    public var initials: String
    public var tint: Tint
    public var shape: Shape
    public var imageURL: String?
    public var size: Size
    /// The text for screen readers; `nil` if the name is beside the avatar.
    public var spoken: String?

    public init(
        initials: String, tint: Tint = .sand, shape: Shape = .a, imageURL: String? = nil,
        size: Size = .regular, spoken: String? = nil
    ) {
        self.initials = initials
        self.tint = tint
        self.shape = shape
        self.imageURL = imageURL
        self.size = size
        self.spoken = spoken
    }

    /// Creates the avatar of a person or thing with an id, from which its shape follows, and its tint if none was
    /// chosen.
    public init(
        initials: String, tint: Tint? = nil, id: UUID, imageURL: String? = nil, size: Size = .regular,
        spoken: String? = nil
    ) {
        self.init(
            initials: initials, tint: tint ?? Tint(for: id), shape: Shape(for: id), imageURL: imageURL,
            size: size, spoken: spoken)
    }

    /// The avatar of a person: the picture that the person chose, or the initials.
    public init(_ person: Person) {
        self.init(
            initials: person.name.initials, tint: person.avatarTint, id: person.id, imageURL: person.imageURL)
    }
}

/// A control that shows whether a student is present, or eats a meal, and changes it with one tap.
///
/// If the call has the fields `recordedAt` and `sentAt`, the client fills in the time of the tap and that of sending.
public struct PTAttendancePill: Codable, Hashable, Sendable {
    /// The attendance of the student: present, absent or not marked.
    public enum State: String, Codable, Sendable, Hashable, CaseIterable { case present, absent, unset }
    /// The progress of the last tap. Pages from the server have `none`; the client's script sets the others.
    public enum Sync: String, Codable, Sendable, Hashable, CaseIterable { case none, pending, failed }
    /// The texts of the control for one attendance state.
    public struct Label: Codable, Hashable, Sendable {
        /// The text on the control: "Present".
        public var title: String
        /// The text for a screen reader: "Ines Pereira is present. Change".
        public var spoken: String
        /// The announcement after a tap has set the state: "Ines Pereira: present"; `nil` for none.
        public var announced: String?
        /// The input that sets the state; `nil` if it is the state's own name.
        public var value: String?

        public init(title: String, spoken: String, announced: String? = nil, value: String? = nil) {
            self.title = title
            self.spoken = spoken
            self.announced = announced
            self.value = value
        }
    }
    /// The texts of the control for all attendance states.
    public struct Labels: Codable, Hashable, Sendable {
        public var present: Label
        public var absent: Label
        public var unset: Label

        public init(present: Label, absent: Label, unset: Label) {
            self.present = present
            self.absent = absent
            self.unset = unset
        }

        public subscript(state: State) -> Label {
            switch state {
            case .present: present
            case .absent: absent
            case .unset: unset
            }
        }
    }

    public var state: State
    public var sync: Sync
    public var labels: Labels
    /// The command that marks attendance. The client adds the new state as `stateField`.
    public var call: PTCommandCall
    /// The name of the input for the new state.
    public var stateField: String
    /// Whether the reader may change the attendance state.
    public var isEnabled: Bool

    public init(
        state: State, sync: Sync = .none, labels: Labels, call: PTCommandCall,
        stateField: String = "status", isEnabled: Bool = true
    ) {
        self.state = state
        self.sync = sync
        self.labels = labels
        self.call = call
        self.stateField = stateField
        self.isEnabled = isEnabled
    }

    /// The state that the next tap sets: absent after present, present otherwise.
    public var next: State { state == .present ? .absent : .present }
}
