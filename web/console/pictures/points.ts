/** Words in other languages, by tag, with points by their places. */
export type Translations<Words> = Record<string, Words & { points?: string[] }>;

/** Points that end with one that is not blank. */
export function withoutBlankEnd(points: string[]): string[] {
  return points.slice(0, points.findLastIndex((point) => point.trim() !== '') + 1);
}

/**
 * Translations of points that were changed: those of a line go with it, and those of a line that was changed in its
 * place stay. Without any left, a language has no points.
 */
export function translationsOfPoints<Words extends object>(
  before: string[],
  after: string[],
  translations: Translations<Words>,
): Translations<Words> {
  const sources = after.map((line, index) => {
    const moved = before.indexOf(line);
    if (moved >= 0) return moved;
    return index < before.length && !after.includes(before[index]) ? index : undefined;
  });
  const entries = Object.entries(translations).map(([language, { points, ...words }]) => {
    const kept = withoutBlankEnd(sources.map((source) => (source === undefined ? '' : (points?.[source] ?? ''))));
    return [language, { ...words, ...(kept.length > 0 && { points: kept }) }];
  });
  return Object.fromEntries(entries) as Translations<Words>;
}
