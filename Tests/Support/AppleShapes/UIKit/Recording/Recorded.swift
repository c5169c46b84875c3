public import Foundation

extension UIImage {
    /// A picture with these bytes as its file.
    public static func recorded(_ png: Data) -> UIImage { UIImage(png: png) }
}
