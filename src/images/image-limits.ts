/** The types of pictures that may be uploaded. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The largest picture, in bytes, and the most pixels of a side. */
export const MAX_IMAGE_BYTES = 200_000;
export const MAX_IMAGE_SIDE = 4096;

/** The most pictures of a workspace. */
export const MAX_IMAGES = 500;

/** The most uploads of a workspace in a minute. */
export const MAX_UPLOADS = 60;

/** The longest text for those who don't see a picture. */
export const MAX_ALT = 200;

/** The most points of a page or an offer, and the longest. */
export const MAX_POINTS = 5;
export const MAX_POINT = 120;
