import DesignSystem

extension PageRenderer {
    mutating func talk(_ talk: PTTalk) {
        html.raw("<div class=\"pt-talk\"")
        html.attribute(" data-talk=", talk.id)
        html.raw("><section class=\"pt-talk__list\"")
        html.attribute(" aria-label=", talk.listLabel)
        html.raw(">")
        if talk.search != nil || talk.begin != nil {
            html.raw("<div class=\"pt-talk__head\">")
            if let search = talk.search { self.search(search) }
            if let begin = talk.begin {
                open(begin.action, " class=\"pt-icon-button pt-icon-button--tonal\"", spoken: begin.title)
                icon(begin.icon ?? .plus)
                close(begin.action)
            }
            html.raw("</div>")
        }
        list(talk.list)
        html.raw("</section><div class=\"pt-talk__pane\"><section class=\"pt-thread\"")
        html.attribute(" aria-label=", talk.label)
        html.raw(">")
        if let earlier = talk.earlier { turn(earlier) }
        html.raw("<div role=\"log\"")
        html.attribute(" aria-label=", talk.label)
        html.raw(">")
        if let empty = talk.empty {
            html.raw("<p class=\"pt-thread__empty t-callout t-muted\">")
            html.text(empty)
            html.raw("</p>")
        }
        for day in talk.days {
            html.raw("<p class=\"pt-thread__day\"><span>")
            html.text(day.title)
            html.raw("</span></p><ol class=\"pt-thread__list\" role=\"list\">")
            for bubble in day.bubbles { self.bubble(bubble) }
            html.raw("</ol>")
        }
        // The runtime lists pending messages here and shows who is typing.
        html.raw("<ol class=\"pt-thread__list\" role=\"list\" id=\"talk-pending\"></ol></div>")
        if let later = talk.later { turn(later) }
        if let receipt = talk.receipt {
            html.raw("<div class=\"pt-thread__receipt\" data-receipt>")
            button(receipt)
            html.raw("</div>")
        }
        html.raw("</section>")
        if let composer = talk.composer { self.composer(composer) }
        if let closed = talk.closed {
            html.raw("<p class=\"pt-composer pt-thread__closed t-callout t-muted\">")
            html.text(closed)
            html.raw("</p>")
        }
        html.raw("</div></div>")
    }

    private mutating func turn(_ button: PTButton) {
        html.raw("<div class=\"pt-thread__turn\">")
        self.button(button)
        html.raw("</div>")
    }

    private mutating func bubble(_ bubble: PTBubble) {
        html.raw("<li class=\"pt-bubble")
        if bubble.isOwn { html.raw(" pt-bubble--own") }
        if bubble.isLast { html.raw(" pt-bubble--last") }
        html.raw("\" id=\"m-")
        html.text(bubble.id)
        html.raw("\">")
        if let author = bubble.author {
            html.raw("<b class=\"pt-bubble__author\" dir=\"auto\">")
            html.text(author)
            html.raw("</b>")
        }
        if let quote = bubble.quote { self.quote(quote) }
        if !bubble.images.isEmpty {
            html.raw("<div class=\"pt-bubble__images\">")
            for image in bubble.images { self.image(image) }
            html.raw("</div>")
        }
        for file in bubble.files { self.file(file) }
        if !bubble.runs.isEmpty { words(of: bubble) }
        if let more = bubble.more {
            open(more.action, " class=\"pt-bubble__more\"", spoken: more.title)
            icon(.more, "pt-icon pt-icon--small")
            close(more.action)
        }
        if bubble.time != nil || bubble.receipt != nil || bubble.edited != nil { foot(of: bubble) }
        html.raw("</li>")
    }

    private mutating func words(of bubble: PTBubble) {
        html.raw(bubble.isGone ? "<p class=\"pt-bubble__gone\">" : "<p dir=\"auto\">")
        for run in bubble.runs {
            switch run {
            case .words(let text): html.text(text)
            case .link(let address):
                html.raw("<a rel=\"noopener noreferrer nofollow external\" target=\"_blank\" href=\"")
                html.url(address)
                html.raw("\">")
                html.text(address)
                html.raw("</a>")
            }
        }
        html.raw("</p>")
    }

    private mutating func quote(_ quote: PTBubble.Quote) {
        if let path = quote.path {
            html.raw("<a class=\"pt-bubble__quote\" href=\"")
            html.url(path)
            html.raw("\">")
        } else {
            html.raw("<div class=\"pt-bubble__quote\">")
        }
        html.raw("<b dir=\"auto\">")
        html.text(quote.author)
        html.raw("</b> <span dir=\"auto\">")
        html.text(quote.text)
        html.raw(quote.path == nil ? "</span></div>" : "</span></a>")
    }

    private mutating func foot(of bubble: PTBubble) {
        html.raw("<footer>")
        html.text([bubble.time, bubble.edited].compactMap { $0 }.joined(separator: " · "))
        if let receipt = bubble.receipt {
            html.raw(" ")
            icon(.checks, "pt-icon pt-icon--tiny")
            html.raw("<span>")
            html.text(receipt)
            html.raw("</span>")
        }
        html.raw("</footer>")
    }

    private mutating func composer(_ composer: PTComposer) {
        html.raw("<form class=\"pt-composer\" id=\"composer\" method=\"post\" action=\"")
        html.url(composer.action)
        html.raw("\" enctype=\"multipart/form-data\" data-composer")
        html.attribute(" data-draft=", context.school ?? "")
        html.attribute(" data-name=", composer.command)
        html.attribute(" data-typing=", composer.typing)
        html.attribute(" data-sending=", composer.sending)
        html.attribute(" data-failed=", composer.failed)
        html.attribute(" data-retry=", composer.retry)
        html.attribute(" data-types=", composer.types)
        html.raw(">")
        hidden("_key", composer.key)
        hidden("_from", from)
        hidden("_to", plainPath)
        html.raw("<p class=\"pt-composer__error t-callout t-danger\" role=\"alert\">")
        if let error = composer.error { html.text(error) }
        html.raw("</p>")
        if let reply = composer.reply { self.reply(reply) }
        html.raw("<div class=\"pt-composer__box\">")
        attach(composer.attach)
        html.raw("<label class=\"pt-hidden\" for=\"composer-text\">")
        html.text(composer.label)
        html.raw("</label><textarea id=\"composer-text\" name=\"text\" rows=\"1\" dir=\"auto\"")
        html.attribute(" placeholder=", composer.label)
        if composer.names != nil { html.raw(" aria-autocomplete=\"list\"") }
        html.raw(">")
        // HTML parsers drop a first line break.
        html.raw("\n")
        html.text(composer.value)
        html.raw("</textarea><button class=\"pt-icon-button pt-icon-button--solid\" type=\"submit\"")
        html.attribute(" aria-label=", composer.send)
        html.raw(">")
        icon(.arrowUp)
        html.raw("</button></div>")
        if let names = composer.names { self.names(names) }
        html.raw("</form>")
    }

    /// Writes the names to mention, hidden until the runtime offers them.
    private mutating func names(_ names: PTComposer.Names) {
        html.raw("<datalist id=\"composer-names\"")
        html.attribute(" data-label=", names.label)
        html.raw(">")
        for name in names.values {
            html.raw("<option")
            html.attribute(" value=", name)
            html.raw("></option>")
        }
        html.raw("</datalist>")
    }

    private mutating func reply(_ reply: PTComposer.Reply) {
        html.raw("<div class=\"pt-composer__reply\">")
        hidden("replyTo", reply.id)
        quote(reply.quote)
        open(reply.cancel.action, " class=\"pt-icon-button\"", spoken: reply.cancel.title)
        icon(.x, "pt-icon pt-icon--small")
        close(reply.cancel.action)
        html.raw("</div>")
    }

    private mutating func attach(_ attach: PTComposer.Attach) {
        html.raw("<label class=\"pt-icon-button pt-composer__attach\" for=\"composer-files\"")
        html.attribute(" title=", attach.title)
        html.raw("><span class=\"pt-hidden\">")
        html.text(attach.title)
        html.raw("</span>")
        icon(.clip)
        html.raw("<input type=\"file\" name=\"files\" id=\"composer-files\" multiple data-max=\"")
        html.number(attach.max)
        html.raw("\" data-side=\"")
        html.number(attach.side)
        html.raw("\"")
        html.attribute(" data-many=", attach.tooMany)
        html.attribute(" data-remove=", attach.remove)
        html.raw("></label>")
    }
}
