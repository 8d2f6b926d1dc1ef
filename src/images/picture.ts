import { imageSize } from 'image-size';
import { type ImageType, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './image-limits';

/** What a file says of itself. */
export interface Picture {
  type: ImageType;
  width: number;
  height: number;
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** How each type begins and ends. */
const FORMS: Record<ImageType, { begins: (file: Buffer) => boolean; isWhole: (file: Buffer) => boolean }> = {
  // PNG (W3C), 5.2 and 11.2.5: ends with the chunk IEND.
  'image/png': {
    begins: (file) => file.subarray(0, 8).equals(bytes('89504e470d0a1a0a')),
    isWhole: (file) => file.subarray(-12).equals(bytes('0000000049454e44ae426082')),
  },
  // ITU T.81, B.1.1.3: from SOI to EOI.
  'image/jpeg': {
    begins: (file) => file.subarray(0, 3).equals(bytes('ffd8ff')),
    isWhole: (file) => file.subarray(-2).equals(bytes('ffd9')),
  },
  // RFC 9649, 2.4: the header has the size of what follows it.
  'image/webp': {
    begins: (file) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP',
    isWhole: (file) => file.readUInt32LE(4) === file.length - 8,
  },
};

/** The picture in a file, by its content alone; or why it is none that may be uploaded. */
export function pictureIn(file: Buffer): Picture | { fault: string } {
  if (file.length > MAX_IMAGE_BYTES) {
    return {
      fault: `must be at most ${MAX_IMAGE_BYTES.toLocaleString('en')} bytes: it has ${file.length.toLocaleString('en')}`,
    };
  }
  const type = (Object.keys(FORMS) as ImageType[]).find((one) => FORMS[one].begins(file));
  if (!type) return { fault: 'must be a PNG, JPEG or WebP picture' };
  if (!FORMS[type].isWhole(file))
    return { fault: 'does not end like a picture: it is not whole, or has something behind it' };
  const size = sizeOf(file);
  if (!size) return { fault: 'is a picture without a size' };
  const { width, height } = size;
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    return { fault: `must be at most ${MAX_IMAGE_SIDE} pixels wide and high: it is ${width} × ${height}` };
  }
  return { type, width, height };
}

function sizeOf(file: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height } = imageSize(file);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
