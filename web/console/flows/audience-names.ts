/** The names of audiences that were read, by their ids, for the words of conditions. */
const names = new Map<string, string>();

export function rememberNames(audiences: { id: string; name: string }[]): void {
  for (const { id, name } of audiences) names.set(id, name);
}

/** The name of an audience, if it was read; else its id. */
export const audienceName = (id: string): string => names.get(id) ?? id;
