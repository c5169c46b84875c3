import DesignSystem
import Domain

extension PageRenderer {
    /// Writes rooms as cards with a dot for each bed.
    mutating func rooms(_ grid: PTRoomGrid) {
        html.raw("<ul class=\"pt-rooms\" role=\"list\"")
        html.attribute(" aria-label=", grid.label)
        html.raw(">")
        for room in grid.rooms {
            html.raw("<li id=\"room-")
            html.text(room.id)
            html.raw("\">")
            open(room.action, room.isFree ? " class=\"pt-room pt-room--free\"" : " class=\"pt-room\"")
            html.raw("<span class=\"pt-hidden\">")
            html.text(room.spoken)
            html.raw("</span><span class=\"pt-room__number\" aria-hidden=\"true\" dir=\"auto\">")
            html.text(room.number)
            html.raw("</span><span class=\"pt-room__type\" aria-hidden=\"true\" dir=\"auto\">")
            html.text(room.type)
            html.raw("</span>")
            beds(room.bedCount, taken: room.occupiedBeds)
            html.raw("<span class=\"pt-room__note\" aria-hidden=\"true\">")
            html.text(room.note)
            html.raw("</span>")
            close(room.action)
            html.raw("</li>")
        }
        html.raw("</ul><ul class=\"pt-shades-key\" role=\"list\"><li>")
        beds(1, taken: 1)
        html.text(grid.takenTitle)
        html.raw("</li><li>")
        beds(1, taken: 0)
        html.text(grid.freeTitle)
        html.raw("</li></ul>")
    }

    /// Writes a dot for each bed, of which the first `taken` are filled.
    private mutating func beds(_ count: Int, taken: Int) {
        html.raw("<span class=\"pt-beds\" aria-hidden=\"true\">")
        for bed in 0..<count { html.raw(bed < taken ? "<b class=\"on\"></b>" : "<b></b>") }
        html.raw("</span>")
    }

    /// Writes the days of a week as columns of rows.
    mutating func week(_ week: PTWeek) {
        html.raw("<ol class=\"pt-weekmenu\" role=\"list\"")
        html.attribute(" aria-label=", week.label)
        html.raw(">")
        for day in week.days {
            html.raw("<li class=\"pt-weekmenu__day")
            if day.isPast { html.raw(" pt-weekmenu__day--past") }
            html.raw(day.isToday ? "\" aria-current=\"date\" id=\"day-" : "\" id=\"day-")
            html.text(day.id)
            html.raw("\"><div class=\"pt-weekmenu__head\"><h2>")
            html.text(day.title)
            html.raw("</h2>")
            if let detail = day.detail {
                html.raw("<p>")
                html.text(detail)
                html.raw("</p>")
            }
            html.raw("</div>")
            if !day.cells.isEmpty { list(PTList(cells: day.cells, label: day.title)) }
            if let action = day.action { button(action) }
            html.raw("</li>")
        }
        html.raw("</ol>")
    }
}
