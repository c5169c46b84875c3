import FlashcardsModel
import TestKit
import Testing

@Suite("Cards from lines")
struct CardLinesTests {
    private func cards(_ text: String) -> [String] { CardLines(text).cards.map { "\($0.front)|\($0.back)" } }

    @Test("lines with tabs, semicolons or commas become cards")
    func separators() {
        #expect(cards("le chat\tthe cat\nle chien\tthe dog") == ["le chat|the cat", "le chien|the dog"])
        #expect(cards("le chat;the cat\r\nle chien;the dog\r\n") == ["le chat|the cat", "le chien|the dog"])
        #expect(cards("le chat, the cat\rle chien, the dog") == ["le chat|the cat", "le chien|the dog"])
        // The separator of most lines counts; a tab goes before a comma.
        #expect(
            cards("Paris, France\tcapital\nRome, Italy\tcapital") == [
                "Paris, France|capital", "Rome, Italy|capital",
            ])
        #expect(cards("\u{FEFF}a;b") == ["a|b"])
    }

    @Test("a comma in the back belongs to it, unless every line has the same columns")
    func columns() {
        #expect(
            cards("Paris, on the Seine, in France\nRome, on the Tiber") == [
                "Paris|on the Seine, in France", "Rome|on the Tiber",
            ])
        #expect(cards("chat,cat,noun\nchien,dog,noun") == ["chat|cat", "chien|dog"])
        #expect(cards("front,back\nchat,cat") == ["chat|cat"])
        #expect(cards("Recto;Verso\nchat;cat") == ["chat|cat"])
    }

    @Test("what is exported as CSV and as text is read again as the same cards")
    func roundTrip() {
        let written = [
            ("le chat", "the cat"), ("a, b; c", "d;e\tf"), ("say \"hi\"", "\"quoted\""),
            ("two\nlines", "three\n\nof them"),
            ("=1+1", "-5"), ("'=1", "'tis"), ("#separator:comma", "#1"), ("front", "back"), ("سوق 👩🏽‍🌾", "שוק"),
            ("<b>", "a &amp; b"), ("[sound:x.mp3]", "x"),
        ].map { CardLines.Card(front: $0, back: $1) }
        let titles = CardLines.Card(front: "Recto", back: "Verso")
        for cards in [written, written.reversed(), [written[7]], [written[4]], [written[1]], []] {
            for text in [CardLines.csv(cards, titles: titles), CardLines.text(cards)] {
                let read = CardLines(text)
                #expect(read.cards == cards && read.faults.isEmpty, "\(text)")
            }
        }
        let text = CardLines.text([written[0], written[2]])
        #expect(
            text == """
                #separator:tab
                #html:false
                le chat\tthe cat
                "say ""hi""\"\t""\"quoted""\"

                """)
        #expect(CardLines.csv([written[4]], titles: titles) == "\u{FEFF}Recto,Verso\r\n'=1+1,'-5\r\n")
    }

    @Test("quotation marks hold separators, line breaks and themselves")
    func quotes() {
        #expect(cards("\"a, b\",\"say \"\"hi\"\"\"\nc,d") == ["a, b|say \"hi\"", "c|d"])
        #expect(cards("\"two\nlines\";x\ny;z") == ["two\nlines|x", "y|z"])
        // A line that only begins with a quoted word is no quoted field.
        #expect(cards("\"Oui\" means yes\tno") == ["\"Oui\" means yes|no"])
        #expect(cards("\"open\tx") == ["\"open|x"])
    }

    @Test("Anki's export is read with its header, and its HTML becomes text")
    func anki() {
        let text = """
            #separator:tab
            #html:true
            #tags column:3
            <b>le&nbsp;marché</b>\tthe market<br>a fair [sound:x.mp3]\tnouns
            a &lt; b\t&amp;amp;\t

            """
        #expect(cards(text) == ["le marché|the market\na fair", "a < b|&amp;"])
        #expect(cards("#separator:Pipe\n#html:false\n<b>|c") == ["<b>|c"])
        #expect(cards("#1\tfirst") == ["#1|first"])
    }

    @Test("right-to-left text, emoji and combining marks come through unchanged")
    func scripts() {
        #expect(
            cards("سوق\tmarket\n👩🏽‍🌾\tfarmer\ne\u{301}te\u{301}\tsummer") == [
                "سوق|market", "👩🏽‍🌾|farmer", "e\u{301}te\u{301}|summer",
            ])
    }

    @Test("each faulty line is named with its number and its fault, and the others are read")
    func faults() {
        let long = String(repeating: "x", count: 2001)
        let read = CardLines("a\tb\nalone\n\t\n c \t \n\(long)\ty\nd\te\u{7}\n\u{200B}\tz\nlast\tone")
        #expect(read.cards.map(\.front) == ["a", "last"])
        #expect(
            read.faults == [
                .init(.noSeparator, line: 2), .init(.emptySide, line: 4), .init(.tooLong, line: 5),
                .init(.control, line: 6), .init(.emptySide, line: 7),
            ])
    }

    @Test("a card with 10,000 characters is refused by its line")
    func tooLong() {
        let read = CardLines("\(String(repeating: "é", count: 10_000)),x")
        #expect(read.cards.isEmpty)
        #expect(read.faults == [.init(.tooLong, line: 1)])
    }

    @Test(
        "empty input has neither cards nor faults, and 5,000 lines are read", arguments: ["", "\n\n", "\u{FEFF}"])
    func sizes(_ empty: String) {
        #expect(CardLines(empty) == CardLines(""))
        let many = (1...5000).map { "front \($0)\tback \($0)" }.joined(separator: "\n")
        #expect(CardLines(many).cards.count == 5000)
    }
}
