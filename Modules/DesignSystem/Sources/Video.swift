/// A film with the browser's own controls (`VideoPlayerView`). Where scripts run, it also has speeds, picture in
/// picture, another screen, and goes on where its reader stopped.
public struct PTVideo: Codable, Hashable, Sendable {
    /// What is said in it, to be read along (WebVTT). The reader switches it on.
    public struct Track: Codable, Hashable, Sendable {
        /// A path of ours.
        public var url: String
        /// How the choice is called.
        public var label: String
        /// As BCP 47 spells it: `fr`, `fr-CA`.
        public var language: String

        public init(url: String, label: String, language: String) {
            self.url = url
            self.label = label
            self.language = language
        }
    }

    /// What one can choose, in hundredths of the film's own speed.
    public static let speeds = [50, 100, 125, 150, 200]

    /// A path of ours, or `https`.
    public var url: String
    /// What it shows: its spoken name.
    public var title: String
    /// Where to go on, in seconds.
    public var position: Int
    /// The command that keeps the position, as `seconds`; `nil` where nothing keeps it.
    public var keeper: String?
    public var tracks: [Track]

    public init(
        url: String, title: String, position: Int = 0, keeper: String? = nil, tracks: [Track] = []
    ) {
        self.url = url
        self.title = title
        self.position = position
        self.keeper = keeper
        self.tracks = tracks
    }

    /// The site that the film comes from where it is not ours: `https://films.example`, with its port. A browser may
    /// load it only where the page's policy names it, so that nothing else can stand in it.
    public var origin: String? {
        guard url.hasPrefix("https://") else { return nil }
        let site = url.dropFirst(8).prefix { !"/?#".contains($0) }
        let isPlain = site.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".-:".utf8.contains(byte)
        }
        return isPlain && !site.isEmpty ? "https://\(site)" : nil
    }
}

extension Screen {
    /// The sites from which the page shows films; few pages name any.
    public var mediaOrigins: [String] {
        body.compactMap { component in
            if case .video(let video) = component { video.origin } else { nil }
        }
    }
}
