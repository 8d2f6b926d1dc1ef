import type { Content } from './formats/content';
import { isJpeg, readJpeg } from './formats/jpeg';
import { isPng, readPng } from './formats/png';
import { isWebp, readWebp } from './formats/webp';
import { type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './image-limits';

/** A picture as it is kept. */
export interface Picture {
  type: ImageType;
  /** As it is shown, in pixels. */
  width: number;
  height: number;
  content: Buffer;
}

interface Format {
  is: (file: Buffer) => boolean;
  /** Reads the whole file, and nothing but it; undefined if it is broken. Its pixels are not decoded. */
  read: (file: Buffer) => Content | undefined;
}

const FORMATS: Record<ImageType, Format> = {
  'image/png': { is: isPng, read: readPng },
  'image/jpeg': { is: isJpeg, read: readJpeg },
  'image/webp': { is: isWebp, read: readWebp },
};

/** The picture in a file, by its content alone, without its metadata; or why it is none that may be uploaded. */
export function pictureIn(file: Buffer): Picture | { fault: string } {
  if (file.length > MAX_IMAGE_BYTES) {
    return {
      fault: `must be at most ${MAX_IMAGE_BYTES.toLocaleString('en')} bytes: it has ${file.length.toLocaleString('en')}`,
    };
  }
  const type = (Object.keys(FORMATS) as ImageType[]).find((one) => FORMATS[one].is(file));
  if (!type) return { fault: 'must be a PNG, JPEG or WebP picture' };
  const read = FORMATS[type].read(file);
  if (!read) return { fault: 'is a picture that is broken, or not whole' };
  // From 5 on, it is shown on its side.
  const [width, height] = (read.orientation ?? 1) < 5 ? [read.width, read.height] : [read.height, read.width];
  if (width === 0 || height === 0) return { fault: 'is a picture without a size' };
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    return { fault: `must be at most ${MAX_IMAGE_SIDE} pixels wide and high: it is ${width} × ${height}` };
  }
  return { type, width, height, content: read.content };
}
