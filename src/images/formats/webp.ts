import type { Content } from './content';
import { exifOf, orientationIn } from './exif';

interface Chunk {
  type: string;
  data: Buffer;
}

interface Size {
  width: number;
  height: number;
}

const [ICC, ALPHA, EXIF, ANIMATION] = [0x20, 0x10, 0x08, 0x02];
/** The bytes of a frame before its chunks. */
const FRAME_HEAD = 16;
const PIXELS = ['VP8 ', 'VP8L'];

export const isWebp = (file: Buffer): boolean => /^RIFF[^]{4}WEBP$/.test(file.toString('latin1', 0, 12));

/** Reads a WebP file (RFC 9649) as far as its header says. What is behind it is left out. */
export function readWebp(file: Buffer): Content | undefined {
  const end = file.length < 12 ? Infinity : 8 + file.readUInt32LE(4);
  const chunks = end > file.length ? undefined : chunksIn(file.subarray(12, end));
  if (!chunks?.[0]) return undefined;
  return chunks[0].type === 'VP8X' ? readExtended(chunks) : readSimple(chunks[0]);
}

function readSimple(pixels: Chunk): Content | undefined {
  const size = sizeOf(pixels);
  return size && { ...size, content: webpOf([pixels]) };
}

/** RFC 9649, 2.7. */
function readExtended([{ data: head }, ...chunks]: Chunk[]): Content | undefined {
  if (head.length < 10) return undefined;
  const canvas = { width: 1 + head.readUIntLE(4, 3), height: 1 + head.readUIntLE(7, 3) };
  const kept = chunks.map((chunk) => (chunk.type === 'ANMF' ? frameOf(chunk) : chunk));
  if (!kept.every((chunk) => chunk !== undefined)) return undefined;
  const shown = kept.filter(({ type }) => ['ICCP', 'ANIM', 'ANMF', 'ALPH', ...PIXELS].includes(type));
  const pixels = shown.flatMap(({ type, data }) =>
    type === 'ANMF' ? chunksIn(data.subarray(FRAME_HEAD))! : { type, data },
  );
  const sizes = pixels.filter(({ type }) => PIXELS.includes(type)).map(sizeOf);
  const fits = (size?: Size) => size && size.width <= canvas.width && size.height <= canvas.height;
  if (sizes.length === 0 || !sizes.every(fits)) return undefined;
  const exif = chunks.find(({ type }) => type === 'EXIF');
  const orientation = exif && orientationIn(withoutName(exif.data));
  const flags = (head[0] & (ICC | ALPHA | ANIMATION)) | (orientation ? EXIF : 0);
  const data = Buffer.concat([Buffer.from([flags, 0, 0, 0]), head.subarray(4, 10)]);
  const exifs = orientation ? [{ type: 'EXIF', data: exifOf(orientation) }] : [];
  return { ...canvas, orientation, content: webpOf([{ type: 'VP8X', data }, ...shown, ...exifs]) };
}

/** A frame of an animation, with its pixels alone (RFC 9649, 2.7.1.1); undefined if it is broken. */
function frameOf({ type, data }: Chunk): Chunk | undefined {
  const chunks = data.length < FRAME_HEAD ? undefined : chunksIn(data.subarray(FRAME_HEAD));
  const pixels = chunks?.filter((chunk) => ['ALPH', ...PIXELS].includes(chunk.type));
  return pixels && { type, data: Buffer.concat([data.subarray(0, FRAME_HEAD), ...pixels.map(bytesOf)]) };
}

/** Some programs begin the block as JPEG does. */
function withoutName(exif: Buffer): Buffer {
  return exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
}

/** What the header of pixels says; undefined if it is not whole, or says nothing of the kind. */
function sizeOf({ type, data }: Chunk): Size | undefined {
  // RFC 6386, 9.1: a key frame, the start code, and 14 bits each.
  if (type === 'VP8 ' && data.length >= 10 && data.toString('latin1', 3, 6) === '\x9d\x01\x2a' && !(data[0] & 1))
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  // RFC 9649, 3.4: the signature, and 14 bits each.
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return undefined;
}

/**
 * RFC 9649, 2.3: a type, a length, the data, and a byte more where the length is odd; undefined if the last one is not
 * whole.
 */
function chunksIn(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = 0, end; at < bytes.length; at = end + ((end - at) % 2)) {
    // Less than the head of a chunk is none.
    if (at + 8 > bytes.length) break;
    end = at + 8 + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) return undefined;
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, end) });
  }
  return chunks;
}

function bytesOf({ type, data }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function webpOf(chunks: Chunk[]): Buffer {
  return bytesOf({ type: 'RIFF', data: Buffer.concat([Buffer.from('WEBP'), ...chunks.map(bytesOf)]) });
}
