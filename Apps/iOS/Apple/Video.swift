import AVFoundation
import AVKit
import CoreMedia
import DesignSystem
import Foundation
import SwiftUI

/// A video in the system's player, which goes on in picture in picture and over AirPlay.
struct VideoPlayerView: View {
    let video: PTVideo
    let files: any SessionFiles
    @State private var file: URL?

    init(video: PTVideo, files: any SessionFiles) {
        self.video = video
        self.files = files
    }

    var body: some View {
        Group {
            if let file {
                PlayerView(file: file, position: Double(video.position))
            } else {
                ProgressView()
            }
        }
        .task(id: video.url) { file = await files.file(at: video.url) }
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
