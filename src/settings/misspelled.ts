import { Config } from './config';

/** How many letters may be missing, added or wrong; two that are swapped are two wrong ones. */
const MOST_EDITS = 2;

/** All settings: the variables that the configuration asks for. */
export const SETTINGS = new Set<string>();
Config.fromEnv(new Proxy({}, { get: (_, name: string) => void SETTINGS.add(name) }));

/**
 * Variables that look like misspelled settings: those that begin with the first two words of a
 * setting, or differ from it in two letters at most. `HOST` and `PORT` are too much like names of other programs.
 */
export function misspelledSettings(env: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  return Object.keys(env).flatMap((name) => {
    // OpenTelemetry reads many more of its own.
    if (!env[name] || SETTINGS.has(name) || name.startsWith('OTEL_')) return [];
    const [nearest] = [...SETTINGS]
      .filter((setting) => setting.includes('_'))
      .map((setting) => ({ setting, edits: editsBetween(name.toUpperCase(), setting) }))
      .filter(({ setting, edits }) => edits <= MOST_EDITS || name.toUpperCase().startsWith(firstTwoWordsOf(setting)))
      .toSorted((one, other) => one.edits - other.edits);
    return nearest ? [{ name, meant: nearest.setting }] : [];
  });
}

function firstTwoWordsOf(setting: string): string {
  return setting.split('_', 2).join('_');
}

/** The distance of Levenshtein. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const letter of one) {
    const next = [row[0] + 1];
    for (let column = 1; column < row.length; column++) {
      const replaced = row[column - 1] + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column] + 1, next[column - 1] + 1));
    }
    row = next;
  }
  return row[other.length];
}
