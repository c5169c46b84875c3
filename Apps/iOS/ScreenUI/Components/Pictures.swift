import DesignSystem
import DesignTokens
import Foundation
import SwiftUI

/// A picture that is loaded with the person's session, with a placeholder before it and in its place.
struct LoadedPicture<Placeholder: View>: View {
    let address: String
    let placeholder: Placeholder
    @State private var image: Image?
    @Environment(\.hosted) private var hosted

    init(address: String, @ViewBuilder placeholder: () -> Placeholder) {
        self.address = address
        self.placeholder = placeholder()
    }

    var body: some View {
        Group {
            if let image {
                image.resizable().aspectRatio(contentMode: .fill)
            } else {
                placeholder
            }
        }
        .task(id: address) { image = await hosted.content?.picture(at: address) }
    }
}

struct PictureView: View {
    let image: PTImage
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions

    var body: some View {
        if let large = image.large {
            Button {
                actions.open(large)
            } label: {
                picture.frame(minHeight: design.size(.hit))
            }
            .buttonStyle(BareButtonStyle())
            .accessibilityLabel(Text(verbatim: image.alt))
        } else {
            picture
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(Text(verbatim: image.alt))
                .accessibilityAddTraits(.isImage)
                .accessibilityHidden(image.alt.isEmpty)
        }
    }

    @ViewBuilder private var picture: some View {
        switch image.shape {
        case .circle:
            content.frame(width: design.size(.avatarLarge), height: design.size(.avatarLarge)).clipShape(Circle())
        case .logo: content.frame(maxHeight: design.size(.avatarLarge))
        case .rounded, .banner, .page: content.clipShape(design.rounded(\.md))
        }
    }

    private var content: some View {
        LoadedPicture(address: image.url) {
            design.rounded(\.md).fill(.token(.surfaceAlt))
        }
        .aspectRatio(ratio, contentMode: .fit)
    }

    /// The proportions of the picture, so that its space is reserved before it is loaded.
    private var ratio: CGFloat? {
        image.height > 0 && image.width > 0 ? CGFloat(image.width) / CGFloat(image.height) : nil
    }
}

extension PTImage {
    /// The picture without its larger version, where a tap means something else.
    var withoutLarge: PTImage {
        var image = self
        image.large = nil
        return image
    }
}

struct VideoView: View {
    let video: PTVideo
    @Environment(\.hosted) private var hosted

    var body: some View {
        if let player = hosted.content?.player(for: video) {
            player.aspectRatio(contentMode: .fit).accessibilityLabel(Text(verbatim: video.title))
        } else {
            OutsideLink(title: video.title, icon: .play, address: video.url)
        }
    }
}

struct AudioView: View {
    let audio: PTAudio
    @Environment(\.hosted) private var hosted

    var body: some View {
        if let player = hosted.content?.player(for: audio) {
            player.accessibilityLabel(Text(verbatim: audio.label))
        } else {
            OutsideLink(title: audio.label, icon: .play, address: audio.url)
        }
    }
}

/// An island with the tools of the device, or as it is without its script. Its whole page is there in a web view.
struct IslandView: View {
    let island: PTIsland
    @Environment(\.hosted) private var hosted

    var body: some View {
        if let view = hosted.content?.nativeView(for: island) {
            view
        } else if island.body.isEmpty {
            Text(verbatim: island.fallback).textStyle(.callout, .token(.textMuted))
        } else {
            ComponentsView(components: island.body)
        }
    }
}

/// A button that opens an address outside of the screen.
private struct OutsideLink: View {
    let title: String
    let icon: PTIcon
    let address: String
    @Environment(\.actions) private var actions

    var body: some View {
        Button {
            actions.perform(.external(address))
        } label: {
            TitleView(title: title, icon: icon)
        }
        .buttonStyle(RoleButtonStyle(role: .tonal, size: .large, isWide: true))
    }
}
