import type { Content } from './content';
import { exifOf, orientationIn } from './exif';

/** The second bytes of markers (ITU T.81, table B.1). */
const [EOI, SOS, APP0, APP1, APP2, APP14] = [0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee];
/** SOF, but for DHT, JPG and DAC, which stand between them. */
const isFrame = (code: number) => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
/** DHT, DAC, DQT and DRI, which decoders need. */
const TABLES = [0xc4, 0xcc, 0xdb, 0xdd];
/** APPn, COM and DNL, which they don't. */
const isDispensable = (code: number) => (code >= APP0 && code <= 0xef) || code === 0xfe || code === 0xdc;
/** What begins the segment of an application. */
const [JFIF, EXIF, ICC_PROFILE, ADOBE] = ['JFIF\0', 'Exif\0', 'ICC_PROFILE\0', 'Adobe'];
/** The sixth byte should be zero, and some programs write another one. */
const EXIF_HEAD = Buffer.from('Exif\0\0');

export const isJpeg = (file: Buffer): boolean => file.toString('latin1', 0, 3) === '\xff\xd8\xff';

/** Reads a JPEG file (ITU T.81, annex B) from SOI to EOI. What is behind it is left out. */
export function readJpeg(file: Buffer): Content | undefined {
  const kept = [file.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let orientation: number | undefined;
  let hasScan = false;
  // Like decoders, it passes over what is between segments. Any marker may have more bytes 0xff before it (B.1.1.2).
  for (let at = file.indexOf(0xff, 2); at >= 0; at = file.indexOf(0xff, at)) {
    const code = file[at + 1];
    if (code === 0xff || code === 0) {
      at++;
      continue;
    }
    if (code === EOI) {
      kept.push(file.subarray(at, at + 2));
      return size && hasScan ? { ...size, orientation, content: Buffer.concat(kept) } : undefined;
    }
    const end = at + 4 <= file.length ? at + 2 + file.readUInt16BE(at + 2) : Infinity;
    if (end < at + 4 || end > file.length) return undefined;
    const segment = file.subarray(at, end);
    const begins = (text: string) => segment.toString('latin1', 4, 4 + text.length) === text;
    at = end;
    if (isFrame(code)) {
      if (size || segment.length < 10) return undefined;
      size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
      kept.push(segment);
    } else if (code === SOS) {
      hasScan = true;
      at = endOfScan(file, end);
      kept.push(segment, file.subarray(end, at));
    } else if (code === APP1 && begins(EXIF) && orientation === undefined) {
      orientation = orientationIn(segment.subarray(4 + EXIF_HEAD.length));
      if (orientation) kept.push(segmentOf(APP1, Buffer.concat([EXIF_HEAD, exifOf(orientation)])));
    } else if (code === APP0 && begins(JFIF) && segment.length >= 18) kept.push(withoutThumbnail(segment));
    else if (TABLES.includes(code) || (code === APP2 && begins(ICC_PROFILE)) || (code === APP14 && begins(ADOBE)))
      kept.push(segment);
    else if (!isDispensable(code)) return undefined;
  }
  return undefined;
}

/**
 * Where the next marker begins behind the data of a scan: in these, a byte of zero or a restart is behind each 0xff.
 */
function endOfScan(file: Buffer, start: number): number {
  let at = file.indexOf(0xff, start);
  while (at >= 0 && (file[at + 1] === 0 || (file[at + 1] >= 0xd0 && file[at + 1] <= 0xd7)))
    at = file.indexOf(0xff, at + 2);
  return at < 0 ? file.length : at;
}

/**
 * JFIF 1.02: the first 14 bytes behind the marker and the length, of which the last two are the size of the thumbnail.
 */
function withoutThumbnail(segment: Buffer): Buffer {
  return segmentOf(APP0, Buffer.concat([segment.subarray(4, 16), Buffer.alloc(2)]));
}

function segmentOf(code: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}
