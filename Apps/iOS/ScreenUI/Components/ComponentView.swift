public import DesignSystem
public import SwiftUI

/// The view of one component. A component without a view does not compile.
public struct ComponentView: View {
    private let component: Component

    /// Creates the view of a component outside of a page. `handled(by:)` gives it its actions.
    public init(component: Component) { self.component = component }

    public var body: some View {
        switch component {
        case .greeting(let greeting): GreetingView(greeting: greeting)
        case .sectionHeader(let header): SectionHeaderView(header: header)
        case .section(let section): SectionView(section: section)
        case .text(let text): TextView(text: text)
        case .richText(let text): RichTextView(text: text)
        case .definitionList(let list): DefinitionListView(list: list)
        case .table(let table): TableView(table: table)
        case .progressGrid(let grid): ProgressGridView(grid: grid)
        case .disclosure(let disclosure): DisclosureView(disclosure: disclosure)
        case .agenda(let agenda): AgendaView(agenda: agenda)
        case .columns(let columns): ColumnsView(columns: columns)
        case .divider(let divider): DividerView(divider: divider)
        case .button(let button): ButtonView(button: button)
        case .buttons(let group): ButtonGroupView(group: group)
        case .submit(let submit): SubmitView(submit: submit)
        case .links(let links): LinksView(links: links)
        case .actionBar(let bar): ActionBarView(bar: bar)
        case .avatar(let avatar): AvatarView(avatar: avatar)
        case .list(let list): ListView(list: list)
        case .cardGrid(let grid): CardGridView(grid: grid)
        case .progressCards(let row): ProgressCardsView(row: row)
        case .rooms(let grid): RoomGridView(grid: grid)
        case .week(let week): WeekView(week: week)
        case .card(let card): CardView(card: card)
        case .file(let file): FileTileView(file: file)
        case .note(let note): NoteView(note: note)
        case .audio(let audio): AudioView(audio: audio)
        case .video(let video): VideoView(video: video)
        case .image(let image): PictureView(image: image)
        case .codeCard(let card): CodeCardView(card: card)
        case .attendance(let pill): AttendancePillView(pill: pill)
        case .ring(let ring): ProgressRingView(ring: ring)
        case .chart(let chart): ChartView(chart: chart)
        case .illustration(let illustration): IllustrationView(illustration: illustration)
        case .island(let island): IslandView(island: island)
        case .talk(let talk): TalkView(talk: talk)
        case .form(let form): FormView(form: form)
        case .search(let field): SearchFieldView(field: field)
        case .segments(let control): SegmentsView(control: control)
        case .chips(let chips): ChipsView(chips: chips)
        case .stepper(let stepper): StepperView(stepper: stepper)
        case .banner(let banner): BannerView(banner: banner)
        case .empty(let state): EmptyStateView(state: state)
        case .error(let state): ErrorView(state: state)
        case .skeleton(let skeleton): SkeletonShapes(skeleton: skeleton)
        case .toast(let toast): ToastView(toast: toast)
        case .burst(let burst): BurstView(burst: burst)
        }
    }
}

/// Components one below the other. In a list, each is a row.
package struct ComponentsView: View {
    let components: [Component]

    package init(components: [Component]) { self.components = components }

    package var body: some View {
        ForEach(Numbered.all(components)) { ComponentView(component: $0.value) }
    }
}

/// A value with an id that is unique among its neighbors.
struct Numbered<Value>: Identifiable {
    let id: String
    let value: Value

    /// The values with their positions as ids.
    static func all(_ values: [Value]) -> [Numbered] {
        values.enumerated().map { Numbered(id: "\($0)", value: $1) }
    }

    /// The values with their own ids, or their positions where they have none or the id of another.
    static func all(_ values: [Value], id: (Value) -> String?) -> [Numbered] {
        var seen: Set<String> = []
        return values.enumerated().map { place, value in
            let own = id(value).flatMap { seen.insert($0).inserted ? $0 : nil }
            return Numbered(id: own ?? "#\(place)", value: value)
        }
    }
}
