import Foundation
import Observation
import SwiftUI
import Testing

/// The shapes, which stand for Apple's frameworks in these tests.
@Suite("The recorder of views")
@MainActor
struct RecorderTests {
    private struct Row: View, Equatable {
        let title: String
        @State private var taps = 0

        nonisolated static func == (left: Row, right: Row) -> Bool { left.title == right.title }

        var body: some View {
            Button {
                taps += 1
            } label: {
                Text(verbatim: "\(title) \(taps)")
            }
        }
    }

    private struct Rows: View {
        let titles: [String]

        var body: some View {
            ForEach(titles, id: \.self) { Row(title: $0).equatable() }
        }
    }

    @Test("a state lives as long as its view is in the tree, and a change evaluates only that view")
    func states() throws {
        let recorder = ViewRecorder()
        var root = recorder.record(Rows(titles: ["a", "b"]))
        #expect(root.texts == ["a 0", "b 0"])
        try #require(root.all("Button").last).press()
        recorder.resetEvaluations()
        root = recorder.record(Rows(titles: ["a", "b"]))
        #expect(root.texts == ["a 0", "b 1"])
        #expect(recorder.evaluations["Row"] == 1)

        _ = recorder.record(Rows(titles: ["a"]))
        root = recorder.record(Rows(titles: ["a", "b"]))
        #expect(root.texts == ["a 0", "b 0"], "a view that left the tree begins anew")
    }

    private struct Loose: View {
        let action: () -> Void
        var body: some View { Text(verbatim: "loose") }
    }

    @Test("a view with a closure counts as changed, because closures cannot be compared")
    func closures() {
        let recorder = ViewRecorder()
        _ = recorder.record(Loose {})
        _ = recorder.record(Loose {})
        #expect(recorder.evaluations["Loose"] == 2)
    }

    @Observable
    final class Counter { var count = 0 }

    private struct Observing: View {
        let counter: Counter
        var body: some View { Text(verbatim: "\(counter.count)") }
    }

    private struct Around: View {
        let counter: Counter
        var body: some View { Observing(counter: counter) }
    }

    @Test("a change of an observed object evaluates the views that read it")
    func observation() {
        let (recorder, counter) = (ViewRecorder(), Counter())
        _ = recorder.record(Around(counter: counter))
        counter.count = 7
        #expect(recorder.record(Around(counter: counter)).texts == ["7"])
        #expect(recorder.evaluations == ["Around": 1, "Observing": 2])
    }

    private struct Mistakes: View {
        var body: some View {
            List {
                Button {
                } label: {
                    Text(verbatim: "without a style")
                }
                ForEach(["twice", "twice"], id: \.self) { Text(verbatim: $0) }
            }
        }
    }

    @Test("uses that a device ignores or warns about are found")
    func faults() {
        let recorder = ViewRecorder()
        _ = recorder.record(Mistakes())
        #expect(
            recorder.faults == [
                "a button in a list row has no style",
                "ForEach: the id twice occurs multiple times, which gives undefined results",
            ])
    }

    @Test("a tap on a disabled button stops the test")
    func loud() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let root = ViewRecorder().record(
                    Button {
                    } label: {
                        Text(verbatim: "off")
                    }.disabled(true))
                root.all("Button").first?.press()
            }
        }
    }
}
