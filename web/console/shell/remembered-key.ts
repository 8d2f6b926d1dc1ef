/** The key survives a reload only if asked for, in this tab alone, until the tab is closed. */
const NAME = 'retention-flow-api-key';

export function rememberedKey(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    // The browser forbids storage.
    return null;
  }
}

export function rememberKey(key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, key);
  } catch {
    // As above: the key stays in memory.
  }
}
