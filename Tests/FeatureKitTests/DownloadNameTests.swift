import Testing

@testable import FeatureKit

@Suite("The name under which a file is taken home")
struct DownloadNameTests {
    @Test(
        "keeps the letters of its title and loses what a file system or a reader would trip over",
        arguments: [
            ("صف الزهور 2026-11-25.pdf", "صف الزهور 2026-11-25.pdf"), ("数学.csv", "数学.csv"),
            ("Zoe\u{301}.pdf", "Zoé.pdf"),
            ("../../etc/passwd", "-..-etc-passwd"), ("a/b\\c:d*e?f\"g<h>i|j.txt", "a-b-c-d-e-f-g-h-i-j.txt"),
            ("invoice\u{202E}fdp.exe", "invoicefdp.exe"), ("one\r\ntwo\u{0}.csv", "onetwo.csv"),
            (" .hidden. ", "hidden"),
            ("👩‍🏫 Room.pdf", "👩‍🏫 Room.pdf"), ("", "file"), ("...", "file"),
        ])
    func safe(_ name: String, _ expected: String) { #expect(DownloadedFile.safe(name) == expected) }

    @Test("a long name loses the end of its stem and keeps its extension")
    func long() {
        let name = DownloadedFile.safe(String(repeating: "é", count: 300) + ".pdf")
        #expect(name.hasSuffix("é.pdf") && (190...200).contains(name.utf8.count))
    }
}
