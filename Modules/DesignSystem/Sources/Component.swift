/// The components that pages are made of. The set is closed.
///
/// Renderers switch over it exhaustively, so a new case needs a decision in every renderer.
public indirect enum Component: Codable, Hashable, Sendable {
    // Headings and text
    case greeting(PTGreeting)
    case sectionHeader(PTSectionHeader)
    case section(PTSection)
    case text(PTText)
    case richText(PTRichText)
    case definitionList(PTDefinitionList)
    case table(PTDataTable)
    case progressGrid(PTProgressGrid)
    case disclosure(PTDisclosure)
    case agenda(PTAgenda)
    case columns(PTColumns)
    case divider(PTDivider)

    // Actions
    case button(PTButton)
    case buttons(PTButtonGroup)
    case submit(SubmitButton)
    case links(PTLinks)
    case actionBar(PTActionBar)

    // People and things
    case avatar(PTAvatar)
    case list(PTList)
    case cardGrid(PTCardGrid)
    case progressCards(PTProgressCards)
    case rooms(PTRoomGrid)
    case week(PTWeek)
    case card(PTCard)
    case file(PTFileTile)
    case note(PTNote)
    case audio(PTAudio)
    case video(PTVideo)
    case image(PTImage)
    case codeCard(PTCodeCard)
    case attendance(PTAttendancePill)
    case ring(PTProgressRing)
    case chart(PTChart)
    case illustration(PTIllustration)
    case island(PTIsland)
    case talk(PTTalk)

    // Choosing and entering
    case form(PTForm)
    case search(PTSearchField)
    case segments(PTSegmentedControl)
    case chips(PTChips)
    case stepper(PTStepper)

    // States
    case banner(PTBanner)
    case empty(PTEmptyState)
    case error(ErrorStateView)
    case skeleton(SkeletonView)
    case toast(PTToast)
    case burst(PTCheckmarkBurst)
}
