/// The properties of the island `quest`, from which browsers and apps show the child's page online and offline.
public struct PlayProperties: Codable, Hashable, Sendable {
    /// A child who plays.
    public struct PlayerItem: Codable, Hashable, Sendable, Identifiable {
        public let id: String
        public let name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }
    /// A task of a routine.
    public struct TaskItem: Codable, Hashable, Sendable, Identifiable {
        public let id: String
        public let displayName: String
        public let referenceSeconds: Int?

        public init(id: String, displayName: String, referenceSeconds: Int?) {
            self.id = id
            self.displayName = displayName
            self.referenceSeconds = referenceSeconds
        }
    }
    /// A routine of the player.
    public struct RoutineItem: Codable, Hashable, Sendable, Identifiable {
        public let id: String
        public let displayName: String
        /// Weekdays as in ISO 8601: 1 is Monday. The device picks today's routines, so that they are correct offline.
        public let activeDays: [Int]
        public let completedSessions: Int
        public let tasks: [TaskItem]

        public init(
            id: String, displayName: String, activeDays: [Int], completedSessions: Int, tasks: [TaskItem]
        ) {
            self.id = id
            self.displayName = displayName
            self.activeDays = activeDays
            self.completedSessions = completedSessions
            self.tasks = tasks
        }
    }
    /// A message after a task, with its text in the reader's language.
    public struct MessageItem: Codable, Hashable, Sendable {
        public let id: String
        /// The text, with `{task}` for the task's name.
        public let text: String
        public let icon: String
        public let rating: AccuracyRating
        public let direction: FeedbackMessage.Direction
        public let phase: FeedbackMessage.Phase
        public let history: FeedbackMessage.History

        public init(_ message: FeedbackMessage, text: String) {
            id = message.id
            self.text = text
            icon = message.emoji
            rating = message.rating
            direction = message.direction
            phase = message.phase
            history = message.history
        }

        /// The message without its text.
        var message: FeedbackMessage {
            FeedbackMessage(
                id: id, emoji: icon, rating: rating, direction: direction, phase: phase, history: history)
        }
    }
    /// The way to the parent's side.
    public struct Gate: Codable, Hashable, Sendable {
        /// The path at which the state is read, and to which the code is sent.
        public let path: String
        /// The path of the command that returns to the player's side.
        public let close: String
        /// The address at which an adult signs in where no code is set.
        public let signIn: String

        public init(path: String, close: String, signIn: String) {
            self.path = path
            self.close = close
            self.signIn = signIn
        }
    }
    /// The path of the child's page.
    public static let path = "/play"

    /// The address of the page of a player.
    public static func address(of player: String) -> String { "\(path)?player=\(player)" }

    public let player: PlayerItem
    public let players: [PlayerItem]
    /// The family's time zone, by which the days are counted.
    public let timeZone: String
    public let language: String
    /// The path of the command that records sessions.
    public let record: String
    public let gate: Gate
    public let routines: [RoutineItem]
    public let discoveries: [String]
    public let messages: [MessageItem]
    public let words: [String: String]

    public init(
        player: PlayerItem, players: [PlayerItem], timeZone: String, language: String, record: String, gate: Gate,
        routines: [RoutineItem], discoveries: [String], messages: [MessageItem], words: [String: String]
    ) {
        self.player = player
        self.players = players
        self.timeZone = timeZone
        self.language = language
        self.record = record
        self.gate = gate
        self.routines = routines
        self.discoveries = discoveries
        self.messages = messages
        self.words = words
    }
}
