const PATH = /^\/images\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Where pictures that were uploaded are served. */
export const pathOf = (id: string): string => `/images/${id}`;

/** The id of the picture at a path; undefined for any other URL. */
export const idIn = (url: string): string | undefined => PATH.exec(url)?.[1];
