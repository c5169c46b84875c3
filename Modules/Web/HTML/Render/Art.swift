// The drawings of the design reference; their colors come from the classes of art.css.

/// The product's drawings as SVG markup.
enum Art {
    /// The whole tower with its plant.
    static let tower: StaticString =
        #"""
        <svg class="pt-hero" viewBox="30 18 350 318" aria-hidden="true">\#
        <path class="pt-hero__blob" d="M60 205C38 120 96 42 196 30c104-12 178 52 168 146-8 78-52 128-160 132C118 311 78 276 60 205Z"/>\#
        <path class="fill-berry-2" d="M118 300V158a86 86 0 0 1 172 0v142Z"/>\#
        <circle class="fill-clay-soft" cx="252" cy="132" r="17"/>\#
        <ellipse class="fill-mat" cx="206" cy="308" rx="158" ry="24"/><g>\#
        <path class="fill-leaf" transform="translate(92 262) rotate(-46) scale(0.86)" d="M0 0C-19-20-18-54 0-74 18-54 19-20 0 0Z"/>\#
        <path class="fill-leaf" transform="translate(92 262) rotate(40) scale(0.9)" d="M0 0C-19-20-18-54 0-74 18-54 19-20 0 0Z"/>\#
        <path class="fill-leaf-5" transform="translate(92 262) rotate(-20) scale(1.1)" d="M0 0C-19-20-18-54 0-74 18-54 19-20 0 0Z"/>\#
        <path class="fill-leaf-3b" transform="translate(92 262) rotate(16) scale(1.15)" d="M0 0C-19-20-18-54 0-74 18-54 19-20 0 0Z"/>\#
        <path class="fill-clay" d="M68 258h48l-5.5 42a7 7 0 0 1-7 6h-23a7 7 0 0 1-7-6Z"/>\#
        <rect class="fill-clay-5" opacity=".35" x="68" y="258" width="48" height="8" rx="2"/></g><g>\#
        <polygon class="cube-side" stroke-width="3.6" points="174.5,313 209.9,325.7 209.9,286.2 174.5,273.5"/>\#
        <polygon class="cube-shade" stroke-width="3.6" points="209.9,325.7 237.5,309.4 237.5,270 209.9,286.2"/>\#
        <polygon class="cube-top" stroke-width="3.6" points="209.9,286.2 237.5,270 202.1,257.3 174.5,273.5"/>\#
        <polygon class="cube-side" stroke-width="3.3" points="178.4,268.1 206.5,281.4 206.5,245.9 178.4,232.6"/>\#
        <polygon class="cube-shade" stroke-width="3.3" points="206.5,281.4 235.5,268.5 235.5,233 206.5,245.9"/>\#
        <polygon class="cube-top" stroke-width="3.3" points="206.5,245.9 235.5,233 207.5,219.7 178.4,232.6"/>\#
        <polygon class="cube-side" stroke-width="2.9" points="179.4,230.5 206.5,241.4 206.5,209.8 179.4,199"/>\#
        <polygon class="cube-shade" stroke-width="2.9" points="206.5,241.4 230,228.9 230,197.4 206.5,209.8"/>\#
        <polygon class="cube-top" stroke-width="2.9" points="206.5,209.8 230,197.4 202.9,186.5 179.4,199"/>\#
        <polygon class="cube-side" stroke-width="2.5" points="185,194.6 205.2,205.6 205.2,178 185,167"/>\#
        <polygon class="cube-shade" stroke-width="2.5" points="205.2,205.6 229.3,196.3 229.3,168.7 205.2,178"/>\#
        <polygon class="cube-top" stroke-width="2.5" points="205.2,178 229.3,168.7 209.1,157.7 185,167"/>\#
        <polygon class="cube-side" stroke-width="2.2" points="186.3,165.6 205.7,174.2 205.7,150.6 186.3,142"/>\#
        <polygon class="cube-shade" stroke-width="2.2" points="205.7,174.2 224.4,165.3 224.4,141.7 205.7,150.6"/>\#
        <polygon class="cube-top" stroke-width="2.2" points="205.7,150.6 224.4,141.7 205,133.1 186.3,142"/>\#
        <polygon class="cube-side" stroke-width="1.8" points="191.5,140.8 209.4,147.1 209.4,127.3 191.5,121.1"/>\#
        <polygon class="cube-shade" stroke-width="1.8" points="209.4,147.1 222.9,138.8 222.9,119.1 209.4,127.3"/>\#
        <polygon class="cube-top" stroke-width="1.8" points="209.4,127.3 222.9,119.1 205,112.9 191.5,121.1"/>\#
        <polygon class="cube-side" stroke-width="1.5" points="192.6,118.2 204.6,124.3 204.6,108.5 192.6,102.4"/>\#
        <polygon class="cube-shade" stroke-width="1.5" points="204.6,124.3 217.9,118.8 217.9,103 204.6,108.5"/>\#
        <polygon class="cube-top" stroke-width="1.5" points="204.6,108.5 217.9,103 205.9,96.9 192.6,102.4"/>\#
        <polygon class="cube-side" stroke-width="1.2" points="197.2,101.6 207.1,105.7 207.1,94 197.2,89.9"/>\#
        <polygon class="cube-shade" stroke-width="1.2" points="207.1,105.7 216,101.2 216,89.4 207.1,94"/>\#
        <polygon class="cube-top" stroke-width="1.2" points="207.1,94 216,89.4 206.1,85.3 197.2,89.9"/>\#
        <polygon class="cube-side" stroke-width="1.2" points="199.3,88.1 204.5,91.2 204.5,83.8 199.3,80.7"/>\#
        <polygon class="cube-shade" stroke-width="1.2" points="204.5,91.2 211.2,88.8 211.2,81.4 204.5,83.8"/>\#
        <polygon class="cube-top" stroke-width="1.2" points="204.5,83.8 211.2,81.4 206,78.3 199.3,80.7"/>\#
        </g><g class="pt-float" transform="translate(3 -9)">\#
        <polygon class="cube-side" stroke-width="1.2" points="203.8,80 206.6,81 206.6,77.9 203.8,76.9"/>\#
        <polygon class="cube-shade" stroke-width="1.2" points="206.6,81 209,79.8 209,76.6 206.6,77.9"/>\#
        <polygon class="cube-top" stroke-width="1.2" points="206.6,77.9 209,76.6 206.2,75.6 203.8,76.9"/>\#
        </g><circle class="fill-sky" cx="296" cy="306" r="7"/>\#
        <circle class="fill-sky" cx="311" cy="304.5" r="7"/>\#
        <circle class="fill-sky" cx="326" cy="303" r="7"/></svg>
        """#

    /// Three cubes beside each other, for empty states.
    static let cubes: StaticString =
        #"""
        <svg class="pt-empty__art" viewBox="0 20 180 106" aria-hidden="true">\#
        <ellipse class="fill-mat" cx="90" cy="104" rx="80" ry="18"/>\#
        <polygon class="cube-side" stroke-width="3.4" points="28,111.5 60.6,124.1 60.6,86.7 28,74.1"/>\#
        <polygon class="cube-shade" stroke-width="3.4" points="60.6,124.1 88,109.1 88,71.7 60.6,86.7"/>\#
        <polygon class="cube-top" stroke-width="3.4" points="60.6,86.7 88,71.7 55.4,59.1 28,74.1"/>\#
        <polygon class="cube-side" stroke-width="2.4" points="89.2,101.6 107.4,112.4 107.4,86.3 89.2,75.6"/>\#
        <polygon class="cube-shade" stroke-width="2.4" points="107.4,112.4 130.8,104 130.8,78 107.4,86.3"/>\#
        <polygon class="cube-top" stroke-width="2.4" points="107.4,86.3 130.8,78 112.6,67.2 89.2,75.6"/>\#
        <polygon class="cube-side" stroke-width="1.5" points="127.1,112.2 142,117.2 142,100.9 127.1,95.9"/>\#
        <polygon class="cube-shade" stroke-width="1.5" points="142,117.2 152.9,110.3 152.9,94.1 142,100.9"/>\#
        <polygon class="cube-top" stroke-width="1.5" points="142,100.9 152.9,94.1 138,89 127.1,95.9"/></svg>
        """#

    /// A cube fallen from its stack, for errors.
    static let fallen: StaticString =
        #"""
        <svg class="pt-empty__art" viewBox="0 12 180 114" aria-hidden="true">\#
        <ellipse class="fill-mat" cx="90" cy="104" rx="80" ry="18"/>\#
        <polygon class="cube-side" stroke-width="3.3" points="33.2,110.6 62.5,123.6 62.5,87.8 33.2,74.8"/>\#
        <polygon class="cube-shade" stroke-width="3.3" points="62.5,123.6 90.8,110.1 90.8,74.4 62.5,87.8"/>\#
        <polygon class="cube-top" stroke-width="3.3" points="62.5,87.8 90.8,74.4 61.5,61.3 33.2,74.8"/>\#
        <polygon class="cube-side" stroke-width="2.4" points="36.8,75.2 62.4,82 62.4,56 36.8,49.2"/>\#
        <polygon class="cube-shade" stroke-width="2.4" points="62.4,82 77.2,70.2 77.2,44.2 62.4,56"/>\#
        <polygon class="cube-top" stroke-width="2.4" points="62.4,56 77.2,44.2 51.6,37.4 36.8,49.2"/>\#
        <g transform="rotate(28 118 98)">\#
        <polygon class="cube-side" stroke-width="1.8" points="100.4,107.7 117.4,114.3 117.4,94.8 100.4,88.2"/>\#
        <polygon class="cube-shade" stroke-width="1.8" points="117.4,114.3 131.6,106.5 131.6,87 117.4,94.8"/>\#
        <polygon class="cube-top" stroke-width="1.8" points="117.4,94.8 131.6,87 114.6,80.4 100.4,88.2"/>\#
        </g><g transform="rotate(-16 148 106)">\#
        <polygon class="cube-side" stroke-width="1.2" points="138.4,114.1 149.5,117.8 149.5,105.7 138.4,102"/>\#
        <polygon class="cube-shade" stroke-width="1.2" points="149.5,117.8 157.6,112.7 157.6,100.6 149.5,105.7"/>\#
        <polygon class="cube-top" stroke-width="1.2" points="149.5,105.7 157.6,100.6 146.5,96.8 138.4,102"/>\#
        </g>\#
        <path class="stroke-clay" stroke-width="3" stroke-linecap="round" stroke-dasharray="1 7" d="M82 44c16-4 32 10 34 32"/>\#
        </svg>
        """#

    /// The check mark with sparks, for a success.
    static let burst: StaticString =
        #"""
        <svg class="pt-burst" viewBox="0 0 140 140" aria-hidden="true"><g class="pt-burst__specks">\#
        <circle class="fill-berry" cx="70.0" cy="12.0" r="4"/>\#
        <rect class="fill-sky" x="105.9" y="18.5" width="8" height="8" rx="2.5" transform="rotate(25 109.9 22.5)"/>\#
        <path class="fill-clay" transform="translate(126.1 60.1) rotate(80)" d="M0 7C-5 2-5-3 0-7 5-3 5 2 0 7Z"/>\#
        <circle class="fill-leaf" cx="120.0" cy="105.0" r="4"/>\#
        <rect class="fill-sand" x="81.0" y="122.0" width="8" height="8" rx="2.5" transform="rotate(100 85.0 126.0)"/>\#
        <path class="fill-berry" transform="translate(43.8 126.2) rotate(205)" d="M0 7C-5 2-5-3 0-7 5-3 5 2 0 7Z"/>\#
        <circle class="fill-clay" cx="16.4" cy="89.5" r="4"/>\#
        <path class="fill-sky" transform="translate(12.7 49.1) rotate(290)" d="M0 7C-5 2-5-3 0-7 5-3 5 2 0 7Z"/>\#
        <rect class="fill-leaf" x="31.6" y="16.9" width="8" height="8" rx="2.5" transform="rotate(200 35.6 20.9)"/>\#
        </g>\#
        <path class="pt-burst__shape" d="M72 28c22-3 40 14 41 38s-14 46-40 46-46-17-45-43 21-38 44-41Z"/>\#
        <path class="pt-burst__check" d="m53 71 12 12 24-26"/></svg>
        """#

    /// The logo as a symbol, once per page, for `<use href="#pt-mark">`.
    static let markSymbol: StaticString =
        #"""
        <svg class="pt-sprite" aria-hidden="true"><symbol id="pt-mark" viewBox="4 2 32 40">\#
        <polygon class="cube-side" stroke-width="1.6" points="9.8,37.2 20.0,41.9 20.0,29.3 9.8,24.6"/>\#
        <polygon class="cube-shade" stroke-width="1.6" points="20.0,41.9 30.2,37.2 30.2,24.6 20.0,29.3"/>\#
        <polygon class="cube-top" stroke-width="1.6" points="20.0,29.3 30.2,24.6 20.0,19.9 9.8,24.6"/>\#
        <polygon class="cube-side" stroke-width="1.6" points="13.0,23.0 20.0,26.2 20.0,17.6 13.0,14.4"/>\#
        <polygon class="cube-shade" stroke-width="1.6" points="20.0,26.2 27.0,23.0 27.0,14.4 20.0,17.6"/>\#
        <polygon class="cube-top" stroke-width="1.6" points="20.0,17.6 27.0,14.4 20.0,11.2 13.0,14.4"/>\#
        <polygon class="cube-side" stroke-width="1.6" points="15.8,12.8 20.0,14.7 20.0,9.6 15.8,7.7"/>\#
        <polygon class="cube-shade" stroke-width="1.6" points="20.0,14.7 24.2,12.8 24.2,7.7 20.0,9.6"/>\#
        <polygon class="cube-top" stroke-width="1.6" points="20.0,9.6 24.2,7.7 20.0,5.8 15.8,7.7"/></symbol>\#
        </svg>
        """#
}
