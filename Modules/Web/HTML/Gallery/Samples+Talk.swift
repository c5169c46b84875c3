import DesignSystem
import Domain

extension Samples {
    /// A conversation with every state of a message.
    var talk: [Component] {
        let second = word("gallery.talk.second") + " "
        let bubbles = [
            PTBubble(
                id: "gallery-1", runs: [.words(word("gallery.talk.first"))], isOwn: false, isLast: true,
                author: word("gallery.guide"), time: "9:02"),
            PTBubble(
                id: "gallery-2",
                runs: [.words(second), .link("https://maple.example/forest")],
                isOwn: true,
                isLast: true,
                quote: .init(author: word("gallery.guide"), text: word("gallery.talk.first"), path: path),
                files: [PTFileTile(name: "walk.pdf", detail: "1.2 MB", action: .external(path))], time: "9:31",
                edited: word("gallery.talk.edited"), receipt: word("gallery.talk.read"),
                more: PTMenuItem(title: word("gallery.more"), action: .open(path))),
            PTBubble(
                id: "gallery-3", runs: [.words(word("gallery.talk.gone"))], isOwn: true, isLast: true, isGone: true),
        ]
        return [
            .talk(
                PTTalk(
                    id: "gallery", label: word("gallery.talk"),
                    list: PTList(cells: [
                        PTListCell(
                            id: "talk-1", leading: .avatar(PTAvatar(initials: "ST", tint: .berry)),
                            title: word("gallery.guide"), subtitle: word("gallery.talk.first"), isCurrent: true,
                            trailing: [.text("9:31")], action: .open(path))
                    ]), listLabel: word("gallery.talk.all"),
                    days: [PTTalk.Day(title: word("gallery.talk.day"), bubbles: bubbles)],
                    empty: word("gallery.talk.empty"),
                    earlier: PTButton(title: word("gallery.more"), role: .quiet, action: .open(path)),
                    later: PTButton(title: word("gallery.more"), role: .quiet, action: .open(path)),
                    receipt: PTButton(title: word("gallery.talk.read"), role: .quiet, action: .open(path)),
                    composer: PTComposer(
                        action: "/gallery", command: "gallery", typing: "/gallery", key: "gallery-key",
                        label: word("gallery.talk.write"), send: word("gallery.talk.send"),
                        error: word("gallery.talk.refused"),
                        reply: .init(
                            id: "gallery-1",
                            quote: .init(author: word("gallery.guide"), text: word("gallery.talk.first")),
                            cancel: PTMenuItem(title: word("gallery.talk.unreply"), action: .open(path))),
                        attach: .init(
                            title: word("gallery.talk.attach"), max: 6, side: 1600,
                            tooMany: word("gallery.talk.refused"), remove: word("gallery.talk.unreply")),
                        names: .init(label: word("gallery.guide"), values: [word("gallery.guide")]),
                        sending: word("gallery.talk.send"),
                        failed: word("gallery.talk.refused"), retry: word("gallery.more"), types: "{name}"),
                    closed: word("gallery.talk.closed")))
        ]
    }
}
