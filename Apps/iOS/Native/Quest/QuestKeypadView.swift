import Client
import DesignSystem
import DesignTokens
import Domain
import Foundation
import QuestModel
import ScreenUI
import SwiftUI

/// A keypad that was opened.
struct QuestKeypad: Identifiable, Hashable {
    /// The seconds until codes are accepted.
    let wait: Int
    var id: Int { wait }
}

/// The keypad that leads to the parent's side, and does not say so.
struct QuestKeypadView: View {
    let page: PlayProperties
    let sessions: any SessionRepositoryProtocol
    let handler: (any ActionHandler)?
    @State private var code = ""
    @State private var status = ""
    /// The seconds until codes are accepted.
    @State private var wait: Int
    @State private var isBusy = false
    /// The number of wrong codes.
    @State private var mistakes = 0
    @Environment(\.design) private var design
    @Environment(\.dismiss) private var dismiss

    /// The number of digits of a code.
    private static let length = 4
    private static let rows = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]

    init(
        page: PlayProperties, keypad: QuestKeypad, sessions: any SessionRepositoryProtocol,
        handler: (any ActionHandler)?
    ) {
        self.page = page
        self.sessions = sessions
        self.handler = handler
        _wait = State(initialValue: keypad.wait)
    }

    var body: some View {
        let words = QuestWords(page)
        VStack(spacing: design.space(\.md)) {
            Text(verbatim: words("code.prompt")).textStyle(.title3).accessibilityAddTraits(.isHeader)
            dots(words)
            Text(
                verbatim: wait > 0 ? words("code.wait", ["time": words.long(Double(wait))]) : status
            )
            .textStyle(.callout, .token(.textMuted))
            ForEach(Self.rows, id: \.self) { row in
                HStack(spacing: design.space(\.sm)) { ForEach(row, id: \.self) { digit($0) } }
            }
            HStack(spacing: design.space(\.sm)) {
                key(.x, words("code.close")) { dismiss() }
                digit("0")
                key(.backspace, words("code.delete")) { if !isBusy { code = String(code.dropLast()) } }
            }
        }
        .padding(.all, design.space(\.lg))
        .frame(maxWidth: design.size(.panel))
        .sensoryFeedback(trigger: mistakes) { _, _ in .warning }
        .task(id: wait) {
            guard wait > 0 else { return }
            // A canceled wait continues with the next keypad.
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
            wait -= 1
        }
        .presentationDetents([.large])
        .presentationDragIndicator(.visible)
    }

    private func dots(_ words: QuestWords) -> some View {
        HStack(spacing: design.space(\.md)) {
            ForEach(Array(0..<Self.length), id: \.self) { place in
                Circle().fill(place < code.count ? .shade(.sky, 6) : .token(.outlineSubtle))
                    .frame(width: design.size(.iconSmall), height: design.size(.iconSmall))
            }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(verbatim: words("code.dots", ["n": "\(code.count)"])))
        .accessibilityAddTraits(.isImage)
    }

    private func digit(_ digit: String) -> some View {
        Button {
            enter(digit)
        } label: {
            Text(verbatim: digit).textStyle(.title2).monospacedDigit()
                .frame(maxWidth: .infinity, minHeight: design.size(.fab))
                .background(.shade(.sky, 1), in: design.rounded(\.lg))
        }
        .buttonStyle(BareButtonStyle())
        .disabled(wait > 0)
    }

    private func key(_ icon: PTIcon, _ title: String, _ action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) {
            IconView(icon: icon).foregroundStyle(.token(.textMuted))
                .frame(maxWidth: .infinity, minHeight: design.size(.fab))
        }
        .buttonStyle(BareButtonStyle())
        .accessibilityLabel(Text(verbatim: title))
    }

    private func enter(_ digit: String) {
        guard !isBusy, wait == 0, code.count < Self.length else { return }
        code += digit
        status = ""
        if code.count == Self.length { Task { await submit() } }
    }

    private func submit() async {
        isBusy = true
        let answer = await sessions.openGate(of: page, code: code)
        isBusy = false
        code = ""
        let words = QuestWords(page)
        switch answer {
        case .open(let path): leave(for: path)
        case .signIn: leave(for: page.gate.signIn)
        case .offline: status = words("code.offline")
        case .wrong(let seconds):
            mistakes += 1
            status = words("code.wrong")
            wait = Int(seconds.rounded(.up))
        }
    }

    private func leave(for path: String) {
        dismiss()
        handler?.open(path, isReplacing: false)
    }
}
