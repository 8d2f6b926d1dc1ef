/**
 * The luminance of a colour (`#rgb` or `#rrggbb`), from 0 for black to 1 for white (WCAG 2.2, "relative luminance").
 */
function luminanceOf(color: string): number {
  const digits = (color.length - 1) / 3;
  const [red, green, blue] = [0, 1, 2].map((index) => {
    const channel = parseInt(color.slice(1 + index * digits).slice(0, digits), 16) / (16 ** digits - 1);
    // The linear part near black makes no difference to the choice of ink.
    return ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, so that the contrast to the colour (`#rgb` or `#rrggbb`) is at least 4.5. */
export function inkOn(color: string): string {
  // The contrast to black is (l + 0.05) / 0.05, to white 1.05 / (l + 0.05). Above 0.179 the first one is greater.
  return luminanceOf(color) > 0.179 ? '#000' : '#fff';
}
