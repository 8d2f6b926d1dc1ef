/** What survives a reload, in this tab alone, until the tab is closed. The key does only if that is asked for. */
function remembered(name: string) {
  return {
    get: (): string | undefined => {
      try {
        return sessionStorage.getItem(name) ?? undefined;
      } catch {
        // The browser forbids storage.
        return undefined;
      }
    },
    set: (value: string | undefined): void => {
      try {
        if (value === undefined) sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, value);
      } catch {
        // As above: it stays in memory.
      }
    },
  };
}

export const rememberedKey = remembered('retention-flow-api-key');
/** The id of the workspace that a person of several has chosen. */
export const rememberedWorkspace = remembered('retention-flow-workspace');
