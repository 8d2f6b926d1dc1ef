export function isColor(text: string): boolean {
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text);
}

/** #rgb as #rrggbb, which is all that a picker of colours knows. */
export function longColor(color: string): string {
  return color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color;
}
