// The pictures of the gate. Fills are classes of the palette, so that they follow the theme.

/** The product's mark. */
export const brand =
  '<svg class="pt-brand" viewBox="4 2 32 40" aria-hidden="true">' +
  '<polygon class="cube-side" stroke-width="1.6" points="9.8,37.2 20.0,41.9 20.0,29.3 9.8,24.6"/>' +
  '<polygon class="cube-shade" stroke-width="1.6" points="20.0,41.9 30.2,37.2 30.2,24.6 20.0,29.3"/>' +
  '<polygon class="cube-top" stroke-width="1.6" points="20.0,29.3 30.2,24.6 20.0,19.9 9.8,24.6"/>' +
  '<polygon class="cube-side" stroke-width="1.6" points="13.0,23.0 20.0,26.2 20.0,17.6 13.0,14.4"/>' +
  '<polygon class="cube-shade" stroke-width="1.6" points="20.0,26.2 27.0,23.0 27.0,14.4 20.0,17.6"/>' +
  '<polygon class="cube-top" stroke-width="1.6" points="20.0,17.6 27.0,14.4 20.0,11.2 13.0,14.4"/>' +
  '<polygon class="cube-side" stroke-width="1.6" points="15.8,12.8 20.0,14.7 20.0,9.6 15.8,7.7"/>' +
  '<polygon class="cube-shade" stroke-width="1.6" points="20.0,14.7 24.2,12.8 24.2,7.7 20.0,9.6"/>' +
  '<polygon class="cube-top" stroke-width="1.6" points="20.0,9.6 24.2,7.7 20.0,5.8 15.8,7.7"/>' +
  '</svg>';

/** A tag before a reader at a door. */
export const reader =
  '<svg class="pt-gate__art" viewBox="16 24 368 300" aria-hidden="true">' +
  '<path class="pt-hero__blob" d="M44 200C24 116 88 40 190 32c108-8 186 48 178 142-8 78-56 126-166 130C102 308 62 276 44 200Z"/>' +
  '<ellipse class="fill-mat" cx="200" cy="292" rx="158" ry="22"/><path class="fill-berry-2" d="M92 288V158a76 76 0 0 1 152 0v130Z"/>' +
  '<path class="fill-berry-3" d="M110 288V160a58 58 0 0 1 116 0v128Z"/><circle class="fill-berry-5" cx="212" cy="222" r="6"/><g class="pt-gate__waves">' +
  '<path d="M262 132a44 44 0 0 0 0 60M248 118a64 64 0 0 0 0 88" transform="rotate(-8 262 162)"/></g>' +
  '<rect class="fill-surface" x="278" y="112" width="70" height="104" rx="20"/>' +
  '<rect class="pt-gate__edge" x="278" y="112" width="70" height="104" rx="20"/><g transform="translate(296 134) scale(0.85)">' +
  '<polygon class="cube-side" stroke-width="1.6" points="9.8,37.2 20.0,41.9 20.0,29.3 9.8,24.6"/>' +
  '<polygon class="cube-shade" stroke-width="1.6" points="20.0,41.9 30.2,37.2 30.2,24.6 20.0,29.3"/>' +
  '<polygon class="cube-top" stroke-width="1.6" points="20.0,29.3 30.2,24.6 20.0,19.9 9.8,24.6"/>' +
  '<polygon class="cube-side" stroke-width="1.6" points="13.0,23.0 20.0,26.2 20.0,17.6 13.0,14.4"/>' +
  '<polygon class="cube-shade" stroke-width="1.6" points="20.0,26.2 27.0,23.0 27.0,14.4 20.0,17.6"/>' +
  '<polygon class="cube-top" stroke-width="1.6" points="20.0,17.6 27.0,14.4 20.0,11.2 13.0,14.4"/></g>' +
  '<circle class="fill-leaf-5" cx="313" cy="198" r="5"/><g class="pt-float"><g transform="rotate(-14 186 168)">' +
  '<rect class="fill-sky" x="140" y="138" width="92" height="60" rx="14"/><rect class="fill-surface" x="152" y="150" width="24" height="24" rx="8"/>' +
  '<rect class="fill-surface" x="184" y="152" width="36" height="6" rx="3"/><rect class="fill-surface" x="184" y="166" width="24" height="6" rx="3"/>' +
  '<circle class="fill-surface" cx="219" cy="186" r="4"/></g></g><g>' +
  '<path class="fill-leaf" transform="translate(66 262) rotate(-44) scale(0.7)" d="M0 0C-19-20-18-54 0-74 18-54 19-20 0 0Z"/>' +
  '<path class="fill-leaf" transform="translate(66 262) rotate(40) scale(0.72)" d="M0 0C-19-20-18-54 0-74 18-54 19-20 0 0Z"/>' +
  '<path class="fill-leaf-5" transform="translate(66 262) rotate(-14) scale(0.95)" d="M0 0C-19-20-18-54 0-74 18-54 19-20 0 0Z"/>' +
  '<path class="fill-clay" d="M46 258h40l-4.6 32a6 6 0 0 1-6 5H56.600a6 6 0 0 1-6-5Z"/></g>' +
  '</svg>';

/** A tag that nobody knows. */
export const unknown =
  '<svg class="pt-gate__art" viewBox="60 60 280 240" aria-hidden="true">' +
  '<path class="pt-hero__blob" d="M70 190c-14-70 40-122 122-126 86-4 150 38 144 112-6 64-46 100-132 106-80 4-122-32-134-92Z"/>' +
  '<g transform="rotate(-10 200 176)"><rect class="fill-surface" x="118" y="118" width="164" height="112" rx="24"/>' +
  '<rect class="pt-gate__edge pt-gate__edge--dashed" x="118" y="118" width="164" height="112" rx="24"/>' +
  '<path class="pt-gate__mark" d="M182 160a18 18 0 1 1 27 16c-6 3.600-9 7-9 13M200 204v.5"/></g>' +
  '</svg>';

/** A ring that empties while a passage can be taken back. */
export const ring =
  '<svg class="pt-ring pt-gate__ring" viewBox="0 0 72 72" aria-hidden="true"><circle class="pt-ring__track" cx="36" cy="36" r="31"/>' +
  '<circle class="pt-gate__left" cx="36" cy="36" r="31" pathLength="100"/></svg>';
