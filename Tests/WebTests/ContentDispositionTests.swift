import Testing

@testable import Web

@Suite("Names of downloads")
struct ContentDispositionTests {
    @Test(
        "every name is sent exactly, with an ASCII name for older clients",
        arguments: [
            ("audit-trail.csv", "attachment; filename=\"audit-trail.csv\""),
            ("a;b c.pdf", "attachment; filename=\"a;b c.pdf\""),
            ("Été.pdf", "attachment; filename=\"Ete.pdf\"; filename*=UTF-8''%C3%89t%C3%A9.pdf"),
            ("数学.csv", "attachment; filename=\"file.csv\"; filename*=UTF-8''%E6%95%B0%E5%AD%A6.csv"),
            (
                "Room 🐢 1.pdf",
                "attachment; filename=\"Room _ 1.pdf\"; filename*=UTF-8''Room%20%F0%9F%90%A2%201.pdf"
            ),
            ("100% \"x\".csv", "attachment; filename=\"100_ _x_.csv\"; filename*=UTF-8''100%25%20%22x%22.csv"),
        ])
    func header(_ name: String, _ header: String) { #expect(ContentDisposition.attachment(name) == header) }
}
