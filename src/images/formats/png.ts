import { crc32 } from 'node:zlib';
import type { Content } from './content';
import { exifOf, orientationIn } from './exif';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The length, the type and the checksum of a chunk. */
const FRAME = 12;
/**
 * The chunks that say how the picture looks, animations included. Texts, times and all that is unknown are left out.
 */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND acTL fcTL fdAT bKGD cHRM cICP cLLI gAMA iCCP mDCV pHYs sBIT sRGB tRNS'.split(' '),
);

export const isPng = (file: Buffer): boolean => file.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** Reads a PNG file (W3C PNG, third edition, 5) from its first chunk to IEND. What is behind it is left out. */
export function readPng(file: Buffer): Content | undefined {
  const kept: Buffer[] = [SIGNATURE];
  let size: { width: number; height: number } | undefined;
  let orientation: number | undefined;
  let hasPixels = false;
  for (let at = SIGNATURE.length, end; at + FRAME <= file.length; at = end) {
    const type = file.toString('latin1', at + 4, at + 8);
    end = at + FRAME + file.readUInt32BE(at);
    if (end > file.length || (type === 'IHDR') !== (at === SIGNATURE.length)) return undefined;
    const data = file.subarray(at + 8, end - 4);
    if (type === 'IHDR') {
      if (data.length !== 13) return undefined;
      size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
    }
    hasPixels ||= type === 'IDAT';
    if (KEPT.has(type)) kept.push(file.subarray(at, end));
    // A lower-case letter begins what a picture can be shown without (5.4).
    else if (!/^[a-z]/.test(type)) return undefined;
    else if (type === 'eXIf' && orientation === undefined) {
      orientation = orientationIn(data);
      if (orientation) kept.push(chunk(type, exifOf(orientation)));
    }
    if (type === 'IEND') return size && hasPixels ? { ...size, orientation, content: Buffer.concat(kept) } : undefined;
  }
  return undefined;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
