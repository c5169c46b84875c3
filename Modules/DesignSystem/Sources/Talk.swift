/// A conversation by day with a field for a new message; on a wide screen beside the list of conversations.
public struct PTTalk: Codable, Hashable, Sendable {
    /// The messages that were sent on one day, with the date as their heading.
    public struct Day: Codable, Hashable, Sendable {
        public var title: String
        public var bubbles: [PTBubble]

        public init(title: String, bubbles: [PTBubble]) {
            self.title = title
            self.bubbles = bubbles
        }
    }
    /// The id of the conversation. Live signals about it, such as that a person is typing, have the topic
    /// `conversation:<id>`.
    public var id: String
    /// The name of the conversation for screen readers.
    public var label: String
    /// The list of all conversations, in which this one is marked.
    public var list: PTList
    public var listLabel: String
    /// The field above the list of conversations that searches all of them.
    public var search: PTSearchField?
    /// The button above the list of conversations that begins a new one; it is shown as an icon.
    public var begin: PTButton?
    public var days: [Day]
    /// The text that is shown while the conversation has no messages.
    public var empty: String?
    public var earlier: PTButton?
    public var later: PTButton?
    /// The button that sends a read receipt, present while something is unread.
    ///
    /// The page's script triggers it as soon as the page is visible; without scripts a person does.
    public var receipt: PTButton?
    /// The field for a new message; `nil` if the reader cannot write.
    public var composer: PTComposer?
    /// The reason why the reader cannot write in the conversation; `nil` if the reader can.
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

/// One message of a conversation, with its author, files and time.
public struct PTBubble: Codable, Hashable, Sendable {
    /// A part of a message's text: words, or the address of a page.
    public enum Run: Codable, Hashable, Sendable {
        case words(String)
        /// The address of a page on another site, shown as a link in the text.
        case link(String)
    }
    /// The message that is answered, as it is quoted above the answer.
    public struct Quote: Codable, Hashable, Sendable {
        public var author: String
        public var text: String
        /// The path of the page with the quoted message.
        public var path: String?

        public init(author: String, text: String, path: String? = nil) {
            self.author = author
            self.text = text
            self.path = path
        }
    }
    /// The id of the message, stable and unique in the conversation.
    public var id: String
    public var runs: [Run]
    /// Whether the reader wrote the message.
    public var isOwn: Bool
    /// Whether the message is the last of consecutive messages by the same author.
    public var isLast: Bool
    /// Whether the text stands for a message that was deleted.
    public var isGone: Bool
    /// The name of the message's author; `nil` where it need not be shown.
    public var author: String?
    public var quote: Quote?
    public var images: [PTImage]
    public var files: [PTFileTile]
    /// The time of the message; `nil` if it is not shown.
    public var time: String?
    /// The text that says that the message was edited; `nil` if it was not.
    public var edited: String?
    /// The text that says that the message was read; `nil` if it is not shown.
    public var receipt: String?
    /// The menu with the actions for the message.
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

    /// The whole text of the message, without marks for links.
    public var text: String {
        runs.map { run in
            switch run {
            case .words(let text), .link(let text): text
            }
        }.joined()
    }
}

/// The field for a new message, with its button.
public struct PTComposer: Codable, Hashable, Sendable {
    /// The message that the person is answering.
    public struct Reply: Codable, Hashable, Sendable {
        public var id: String
        public var quote: PTBubble.Quote
        /// The link that cancels answering the message.
        public var cancel: PTMenuItem

        public init(id: String, quote: PTBubble.Quote, cancel: PTMenuItem) {
            self.id = id
            self.quote = quote
            self.cancel = cancel
        }
    }

    /// The texts and limits for adding files to a message.
    public struct Attach: Codable, Hashable, Sendable {
        public var title: String
        public var max: Int
        /// The longer side in pixels to which photos are reduced before sending.
        public var side: Int
        /// The error that is shown for more than `max` files.
        public var tooMany: String
        /// The label for removing a file, followed by its name.
        public var remove: String

        public init(title: String, max: Int, side: Int, tooMany: String, remove: String) {
            self.title = title
            self.max = max
            self.side = side
            self.tooMany = tooMany
            self.remove = remove
        }
    }

    /// The people who can be mentioned with an @ in a message, and the label of their list.
    public struct Names: Codable, Hashable, Sendable {
        public var label: String
        public var values: [String]

        public init(label: String, values: [String]) {
            self.label = label
            self.values = values
        }
    }

    /// The path of the command that sends a message of the conversation.
    public var action: String
    /// The name of the command that sends a message of the conversation.
    public var command: String
    /// The path of the command that tells the other members that the person is typing.
    public var typing: String
    public var key: String
    public var label: String
    public var send: String
    /// The text of a message that the server refused, to be corrected; empty otherwise.
    public var value: String
    /// The reason why the server refused the message; `nil` if it did not.
    public var error: String?
    /// The message that the person is answering; `nil` for none.
    public var reply: Reply?
    public var attach: Attach
    public var names: Names?
    /// The label of a message that is being sent.
    public var sending: String
    /// The label of a message that could not be sent.
    public var failed: String
    public var retry: String
    /// The text that is shown while another person is typing: a sentence with `{name}` in it.
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
