import Testing

@testable import FeatureKit

@Suite("The file name of a download")
struct DownloadNameTests {
    @Test(
        "a file name keeps its script and loses characters that file systems refuse or that disguise the extension",
        arguments: [
            ("صف الزهور 2026-11-25.pdf", "صف الزهور 2026-11-25.pdf"), ("数学.csv", "数学.csv"),
            ("Zoe\u{301}.pdf", "Zoé.pdf"),
            ("../../etc/passwd", "-..-etc-passwd"), ("a/b\\c:d*e?f\"g<h>i|j.txt", "a-b-c-d-e-f-g-h-i-j.txt"),
            ("invoice\u{202E}fdp.exe", "invoicefdp.exe"), ("one\r\ntwo\u{0}.csv", "onetwo.csv"),
            (" .hidden. ", "hidden"),
            ("👩‍🏫 Room.pdf", "👩‍🏫 Room.pdf"), ("", "file"), ("...", "file"),
            ("CON.txt", "_CON.txt"), ("lpt1", "_lpt1"), ("nul.tar.gz", "_nul.tar.gz"),
            ("Console.txt", "Console.txt"),
            ("Übung №1 #2 & a+b=c.pdf", "Übung №1 #2 & a+b=c.pdf"),
        ])
    func safe(_ name: String, _ expected: String) { #expect(DownloadedFile.fileName(from: name) == expected) }

    @Test("a long name loses the end of its stem and keeps its extension")
    func long() {
        let name = DownloadedFile.fileName(from: String(repeating: "é", count: 300) + ".pdf")
        #expect(name.hasSuffix("é.pdf") && (190...200).contains(name.utf8.count))
    }
}
