/**
 * A type of the web platform, as the program's own types have it: those of the DOM, or of Node. A program that has
 * neither can still be checked.
 */
type Web<Name extends string> = typeof globalThis extends { [_ in Name]: { prototype: infer Type } } ? Type : object;

export type WebResponse = Web<'Response'>;
export type WebSignal = Web<'AbortSignal'>;
export type WebBlob = Web<'Blob'>;

/** A replacement for the global `fetch`. */
export type Fetch = typeof globalThis extends { fetch: infer Type } ? Type : (request: object) => Promise<object>;
