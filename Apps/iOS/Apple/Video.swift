import AVFoundation
import AVKit
import CoreMedia
import DesignSystem
import Foundation
import ScreenUI
import SwiftUI

/// A video or recording in the system's player, which goes on in picture in picture and over AirPlay.
struct FilePlayerView: View {
    /// The path of the file on the server.
    let address: String
    /// The second at which it begins.
    let position: Int
    let files: any SessionFiles
    @State private var file: URL?
    @State private var isMissing = false

    init(address: String, position: Int, files: any SessionFiles) {
        self.address = address
        self.position = position
        self.files = files
    }

    var body: some View {
        Group {
            if let file {
                PlayerView(file: file, position: Double(position))
            } else if isMissing {
                IconView(icon: .cloudOff)
            } else {
                ProgressView()
            }
        }
        .task(id: address) {
            file = await files.file(at: address)
            isMissing = file == nil
        }
    }
}

private struct PlayerView: UIViewControllerRepresentable {
    let file: URL
    let position: Double

    func makeUIViewController(context: Context) -> AVPlayerViewController {
        let player = AVPlayer(url: file)
        player.allowsExternalPlayback = true
        if position > 0 {
            player.seek(to: CMTime(seconds: position, preferredTimescale: Self.timescale))
        }
        let controller = AVPlayerViewController()
        controller.player = player
        controller.allowsPictureInPicturePlayback = true
        controller.canStartPictureInPictureAutomaticallyFromInline = true
        do {
            // The sound goes on while the video is in another window.
            try AVAudioSession.sharedInstance().setCategory(.playback)
        } catch {
            // The video plays without sound while the device is silent.
        }
        return controller
    }

    func updateUIViewController(_ controller: AVPlayerViewController, context: Context) {}

    /// The parts of a second in which positions are counted, as Apple recommends for video.
    private static let timescale: Int32 = 600
}
