/// A conversation: what was said, day by day, and a place to say more; on a wide screen beside the list of all.
public struct PTTalk: Codable, Hashable, Sendable {
    /// What was said on one day.
    public struct Day: Codable, Hashable, Sendable {
        public var title: String
        public var bubbles: [PTBubble]

        public init(title: String, bubbles: [PTBubble]) {
            self.title = title
            self.bubbles = bubbles
        }
    }
    /// The conversation's id: the signals about `conversation:<id>` are shown here.
    public var id: String
    /// Its spoken name.
    public var label: String
    /// All conversations, this one marked.
    public var list: PTList
    public var listLabel: String
    public var days: [Day]
    /// What stands there while nothing was said.
    public var empty: String?
    public var earlier: PTButton?
    public var later: PTButton?
    /// Tells the others that it was read; there while something is unread. The runtime runs it as soon as the page is
    /// looked at, without it a button does.
    public var receipt: PTButton?
    /// `nil` where this reader cannot write.
    public var composer: PTComposer?
    /// Why this reader cannot write.
    public var closed: String?

    public init(
        id: String, label: String, list: PTList, listLabel: String, days: [Day], empty: String? = nil,
        earlier: PTButton? = nil, later: PTButton? = nil, receipt: PTButton? = nil, composer: PTComposer? = nil,
        closed: String? = nil
    ) {
        self.id = id
        self.label = label
        self.list = list
        self.listLabel = listLabel
        self.days = days
        self.empty = empty
        self.earlier = earlier
        self.later = later
        self.receipt = receipt
        self.composer = composer
        self.closed = closed
    }
}

/// One message.
public struct PTBubble: Codable, Hashable, Sendable {
    /// A part of a text.
    public enum Run: Codable, Hashable, Sendable {
        case words(String)
        /// The address of a page elsewhere.
        case link(String)
    }
    /// What it answers.
    public struct Quote: Codable, Hashable, Sendable {
        public var author: String
        public var text: String
        /// The page on which it stands.
        public var path: String?

        public init(author: String, text: String, path: String? = nil) {
            self.author = author
            self.text = text
            self.path = path
        }
    }
    /// Stable and unique.
    public var id: String
    public var runs: [Run]
    /// Whether the reader wrote it.
    public var isOwn: Bool
    /// Whether it is the last of its writer's that belong together.
    public var isLast: Bool
    /// Whether the words stand for a message that is no more.
    public var isGone: Bool
    /// Who wrote it, where that is not plain.
    public var author: String?
    public var quote: Quote?
    public var images: [PTImage]
    public var files: [PTFileTile]
    /// When, where it is told.
    public var time: String?
    /// That it was changed.
    public var edited: String?
    /// That it was read, where that is known.
    public var receipt: String?
    /// What can be done with it, and how that is spoken.
    public var more: PTMenuItem?

    public init(
        id: String, runs: [Run], isOwn: Bool, isLast: Bool, isGone: Bool = false, author: String? = nil,
        quote: Quote? = nil, images: [PTImage] = [], files: [PTFileTile] = [], time: String? = nil,
        edited: String? = nil, receipt: String? = nil, more: PTMenuItem? = nil
    ) {
        self.id = id
        self.runs = runs
        self.isOwn = isOwn
        self.isLast = isLast
        self.isGone = isGone
        self.author = author
        self.quote = quote
        self.images = images
        self.files = files
        self.time = time
        self.edited = edited
        self.receipt = receipt
        self.more = more
    }

    /// The text alone.
    public var text: String {
        runs.map { run in
            switch run {
            case .words(let text), .link(let text): text
            }
        }.joined()
    }
}

/// The field in which a message is written, and its button.
public struct PTComposer: Codable, Hashable, Sendable {
    /// The message that is answered.
    public struct Reply: Codable, Hashable, Sendable {
        public var id: String
        public var quote: PTBubble.Quote
        /// Where nothing is answered.
        public var cancel: PTMenuItem

        public init(id: String, quote: PTBubble.Quote, cancel: PTMenuItem) {
            self.id = id
            self.quote = quote
            self.cancel = cancel
        }
    }

    /// How files are added.
    public struct Attach: Codable, Hashable, Sendable {
        public var title: String
        public var max: Int
        /// The longer side of a photo in pixels, as it is sent.
        public var side: Int
        /// Said where there are more than `max`.
        public var tooMany: String
        /// Takes one away again, before its name.
        public var remove: String

        public init(title: String, max: Int, side: Int, tooMany: String, remove: String) {
            self.title = title
            self.max = max
            self.side = side
            self.tooMany = tooMany
            self.remove = remove
        }
    }

    /// Who may be called by name with an @, and how their list is called.
    public struct Names: Codable, Hashable, Sendable {
        public var label: String
        public var values: [String]

        public init(label: String, values: [String]) {
            self.label = label
            self.values = values
        }
    }

    /// The URL of the command that sends, and its name.
    public var action: String
    public var command: String
    /// The URL of the command that tells that somebody types.
    public var typing: String
    public var key: String
    public var label: String
    public var send: String
    /// What was typed before it was refused.
    public var value: String
    /// Why it was refused.
    public var error: String?
    /// The message that is answered, and the way back to answering none.
    public var reply: Reply?
    public var attach: Attach
    public var names: Names?
    /// Words of the states that a message on its way has.
    public var sending: String
    public var failed: String
    public var retry: String
    /// What is said while somebody types: a sentence with `{name}` in it.
    public var types: String

    public init(
        action: String, command: String, typing: String, key: String, label: String, send: String,
        value: String = "", error: String? = nil, reply: Reply? = nil, attach: Attach, names: Names? = nil,
        sending: String, failed: String, retry: String, types: String
    ) {
        self.names = names
        self.reply = reply
        self.attach = attach
        self.action = action
        self.command = command
        self.typing = typing
        self.key = key
        self.label = label
        self.send = send
        self.value = value
        self.error = error
        self.sending = sending
        self.failed = failed
        self.retry = retry
        self.types = types
    }
}
