// The command of the client has this file, too.

const PATH = /^\/images\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Where pictures that were uploaded are served. */
export const pathOf = (id: string): string => `/images/${id}`;

/** The id of the picture at a path; undefined for any other URL. */
export const idIn = (url: string): string | undefined => PATH.exec(url)?.[1];

/**
 * The id of a picture by the SHA-256 of its file, in hexadecimal digits: a UUID v8 (RFC 9562) of its first 122 bits.
 */
export function idOfFile(hash: string): string {
  const variant = ((parseInt(hash[16], 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}
