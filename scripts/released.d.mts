/** Keeps what programs of others rely on in a version. */
export function keepReleased(root: string, version: string): Promise<void>;
/** The settings in the tables of docs/configuration.md, each with its default. */
export function settingsIn(text: string): Record<string, string>;
