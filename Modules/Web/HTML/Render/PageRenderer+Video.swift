import DesignSystem
import Domain

extension PageRenderer {
    /// Writes a video. Without scripts it has the browser's controls; the runtime adds others (`video.js`).
    mutating func video(_ video: PTVideo) {
        let id = nextID()
        html.raw("<div class=\"pt-video\" data-video data-start=\"")
        html.number(video.position)
        html.raw("\"")
        html.attribute(" data-keeper=", video.keeper)
        html.raw("><video controls playsinline preload=\"metadata\"")
        html.attribute(" aria-label=", video.title)
        html.raw(" src=\"")
        html.url(video.url)
        html.raw("\">")
        // No captions are on by default: readers choose them here or in the browser.
        for track in video.tracks {
            html.raw("<track kind=\"captions\" src=\"")
            html.url(track.url)
            html.raw("\"")
            html.attribute(" srclang=", track.language)
            html.attribute(" label=", track.label)
            html.raw(">")
        }
        html.raw("</video><div class=\"pt-video__tools\" hidden><label for=\"speed-")
        html.number(id)
        html.raw("\">")
        html.text(word("web.video.speed"))
        html.raw("</label><select class=\"pt-input\" id=\"speed-")
        html.number(id)
        html.raw("\">")
        for speed in PTVideo.speeds {
            html.raw("<option value=\"")
            html.text(PageRenderer.speed(speed, "."))
            html.raw(speed == 100 ? "\" selected>" : "\">")
            html.text(PageRenderer.speed(speed, context.language == .french ? "," : "."))
            html.raw("×</option>")
        }
        html.raw("</select><button class=\"pt-button pt-button--quiet\" type=\"button\" data-pip hidden>")
        html.text(word("web.video.picture"))
        html.raw("</button><button class=\"pt-button pt-button--quiet\" type=\"button\" data-remote hidden>")
        html.text(word("web.video.remote"))
        html.raw("</button></div></div>")
    }

    /// A playback speed, given in hundredths, without trailing zeros.
    private static func speed(_ hundredths: Int, _ point: String) -> String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)" }
        return rest.isMultiple(of: 10) ? "\(whole)\(point)\(rest / 10)" : "\(whole)\(point)\(rest)"
    }
}
