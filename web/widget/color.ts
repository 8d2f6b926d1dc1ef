/** The luminance of a colour of the form `#rrggbb`, from 0 for black to 1 for white (WCAG 2.2, "relative luminance"). */
function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const channel = parseInt(color.slice(start, start + 2), 16) / 255;
    // The linear part near black makes no difference to the choice of ink.
    return ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, so that the contrast to the colour (`#rrggbb`) is at least 4.5. */
export function inkOn(color: string): string {
  // The contrast to black is (l + 0.05) / 0.05, to white 1.05 / (l + 0.05). Above 0.179 the first one is greater.
  return luminanceOf(color) > 0.179 ? '#000' : '#fff';
}

/** A colour in hexadecimal form as `#rrggbb`; undefined for anything else. */
export function hexColor(color: string): string | undefined {
  if (!/^#([\da-f]{3}){1,2}$/i.test(color)) return undefined;
  return color.length < 7 ? color.replace(/\w/g, '$&$&') : color;
}
