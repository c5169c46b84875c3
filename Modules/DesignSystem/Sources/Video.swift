/// A video with the browser's own controls (`VideoPlayerView`).
///
/// With scripts it also offers speeds, picture in picture and another screen, and resumes where the person stopped.
public struct PTVideo: Codable, Hashable, Sendable {
    /// Subtitles (WebVTT), which the person can switch on.
    public struct Track: Codable, Hashable, Sendable {
        /// The address of the subtitles, which is a path of this server.
        public var url: String
        /// The name under which the subtitles are offered.
        public var label: String
        /// The language of the subtitles (BCP 47): `fr`, `fr-CA`.
        public var language: String

        public init(url: String, label: String, language: String) {
            self.url = url
            self.label = label
            self.language = language
        }
    }

    /// The speeds to choose from, in percent of the normal speed.
    public static let speeds = [50, 100, 125, 150, 200]

    /// The address of the video: a path of this server, or an `https` address.
    public var url: String
    /// The title of the video, which a screen reader says.
    public var title: String
    /// The position at which the video resumes, in seconds.
    public var position: Int
    /// The path of the command that stores the position as `seconds`; `nil` if the position is not stored.
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

    /// The origin of a video from another site, with its port: `https://films.example`; `nil` for other videos.
    ///
    /// Browsers load it only if the page's content security policy names it. The characters are checked so that
    /// nothing else can be added to the policy.
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
    /// The origins of the videos on the page, which its content security policy has to name.
    public var mediaOrigins: [String] {
        body.compactMap { component in
            if case .video(let video) = component { video.origin } else { nil }
        }
    }
}
