import { crc32, deflateSync } from 'node:zlib';
import { JPEG, png, WEBP } from '../../test/support/pictures';
import { pictureIn } from './picture';

const BROKEN = { fault: 'is a picture that is broken, or not whole' };
const SECRET = 'GPS 52.5200 13.4050';

const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number) => Buffer.from([0, 0, value >> 8, value & 255]);
const u32le = (value: number) => Buffer.from([value & 255, value >> 8, 0, 0]);

/** An Exif block with an orientation and a text, as cameras write it. */
function exif(orientation: number): Buffer {
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([u16(tag), u16(type), u32(count), value]);
  return Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08', 'latin1'),
    u16(2),
    entry(0x0112, 3, 1, Buffer.concat([u16(orientation), u16(0)])),
    entry(0x010e, 2, SECRET.length, u32(38)),
    u32(0),
    Buffer.from(SECRET),
  ]);
}

const segment = (code: number, data: Buffer | string) =>
  Buffer.concat([Buffer.from([0xff, code]), u16(Buffer.from(data).length + 2), Buffer.from(data)]);
const frame = (width: number, height: number) =>
  segment(0xc0, Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])]));
const SCAN = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from('12ff0034ffd056', 'hex')]);
const jpeg = (...parts: Buffer[]) => Buffer.concat([Buffer.from('ffd8', 'hex'), ...parts, Buffer.from('ffd9', 'hex')]);

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([u32(data.length), typed, sum]);
}
/** A PNG picture with more chunks behind its header. */
const pngWith = (...chunks: Buffer[]) => Buffer.concat([png(9, 7).subarray(0, 33), ...chunks, png(9, 7).subarray(33)]);

function riffChunk(type: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), u32le(data.length), data, Buffer.alloc(data.length % 2)]);
}
const webp = (...chunks: Buffer[]) => riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
const PIXELS = WEBP.subarray(12);
const extended = (flags: number, width: number, height: number) =>
  riffChunk(
    'VP8X',
    Buffer.concat([Buffer.from([flags, 0, 0, 0]), u32le(width - 1).subarray(0, 3), u32le(height - 1).subarray(0, 3)]),
  );

/** The content of a picture that is taken. */
function contentOf(file: Buffer): Buffer {
  const picture = pictureIn(file);
  if ('fault' in picture) throw new Error(picture.fault);
  return picture.content;
}

describe('A picture', () => {
  it.each([
    ['PNG', png(9, 7)],
    ['JPEG', JPEG],
    ['WebP', WEBP],
  ])('without metadata is kept to the byte: %s', (_, file) => {
    expect(contentOf(file).equals(file)).toBe(true);
  });

  it.each<[string, Buffer]>([
    ['JPEG: Exif', jpeg(segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(1)])), frame(9, 7), SCAN)],
    ['JPEG: XMP', jpeg(segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`), frame(9, 7), SCAN)],
    ['JPEG: IPTC', jpeg(segment(0xed, SECRET), frame(9, 7), SCAN)],
    ['JPEG: a comment behind the frame', jpeg(frame(9, 7), segment(0xfe, SECRET), SCAN)],
    ['JPEG: a comment between scans', jpeg(frame(9, 7), SCAN, segment(0xfe, SECRET), SCAN)],
    ['JPEG: between segments', jpeg(segment(0xe0, 'x'), Buffer.from(SECRET), frame(9, 7), SCAN)],
    ['JPEG: a thumbnail', jpeg(segment(0xe0, `JFIF\0\x01\x02\0\0\x01\0\x01\x05\x05${SECRET}`), frame(9, 7), SCAN)],
    ['JPEG: behind its end', Buffer.concat([jpeg(frame(9, 7), SCAN), Buffer.from(SECRET)])],
    ['PNG: eXIf', pngWith(pngChunk('eXIf', exif(1)))],
    ['PNG: tEXt', pngWith(pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`)))],
    ['PNG: iTXt', pngWith(pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${SECRET}`)))],
    ['PNG: zTXt', pngWith(pngChunk('zTXt', deflateSync(SECRET)))],
    ['PNG: an unknown chunk', pngWith(pngChunk('niKo', Buffer.from(SECRET)))],
    ['PNG: behind its end', Buffer.concat([png(9, 7), Buffer.from(SECRET)])],
    ['WebP: EXIF', webp(extended(0x08, 9, 7), PIXELS, riffChunk('EXIF', exif(1)))],
    ['WebP: XMP', webp(extended(0x04, 9, 7), PIXELS, riffChunk('XMP ', Buffer.from(SECRET)))],
    ['WebP: an unknown chunk', webp(PIXELS, riffChunk('NIKO', Buffer.from(SECRET)))],
    [
      'WebP: in a frame',
      webp(
        extended(0x02, 9, 7),
        riffChunk('ANIM', Buffer.alloc(6)),
        riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), PIXELS, riffChunk('NIKO', Buffer.from(SECRET))])),
      ),
    ],
    ['WebP: less than a chunk', webp(PIXELS, Buffer.from('GPS 5'))],
    ['WebP: behind its end', Buffer.concat([WEBP, Buffer.from(SECRET)])],
  ])('is kept without what it says of its maker: %s', (_, file) => {
    const content = contentOf(file);
    expect(content.length).toBeLessThan(file.length);
    expect(content.includes(SECRET.slice(0, 3))).toBe(false);
    expect(contentOf(content).equals(content)).toBe(true);
  });

  it.each<[string, (orientation: number) => Buffer]>([
    ['JPEG', (way) => jpeg(segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(way)])), frame(9, 7), SCAN)],
    ['PNG', (way) => pngWith(pngChunk('eXIf', exif(way)))],
    ['WebP', (way) => webp(extended(0x08, 9, 7), PIXELS, riffChunk('EXIF', exif(way)))],
  ])('keeps which way up it is, and nothing else: %s', (_, file) => {
    for (const way of [2, 3, 4, 5, 6, 7, 8]) {
      const picture = pictureIn(file(way));
      expect(picture).toMatchObject(way < 5 ? { width: 9, height: 7 } : { width: 7, height: 9 });
      const { content } = picture as { content: Buffer };
      const upright = contentOf(file(1));
      expect(content.equals(upright)).toBe(false);
      expect(content.includes(SECRET)).toBe(false);
      expect(contentOf(content).equals(content)).toBe(true);
    }
  });

  it.each<[string, Buffer]>([
    ['a number of 32 bits', withLong(exif(6))],
    ['another sixth byte', Buffer.concat([Buffer.from('Exif\0\xff', 'latin1'), exif(6)])],
  ])('keeps which way up it is, though its Exif has %s', (_, block) => {
    const head = block.toString('latin1', 0, 4) === 'Exif' ? Buffer.alloc(0) : Buffer.from('Exif\0\0');
    const file = jpeg(segment(0xe1, Buffer.concat([head, block])), frame(9, 7), SCAN);
    expect(pictureIn(file)).toMatchObject({ width: 7, height: 9 });
  });

  it('keeps its colours', () => {
    const profile = segment(0xe2, 'ICC_PROFILE\0\x01\x01profile');
    const adobe = segment(0xee, 'Adobe\0\x64\0\0\0\0\x01');
    expect(contentOf(jpeg(profile, adobe, frame(9, 7), SCAN)).toString('latin1')).toContain('profile');
    expect(contentOf(pngWith(pngChunk('iCCP', Buffer.from('profile')))).includes('profile')).toBe(true);
    const colored = webp(extended(0x20, 9, 7), riffChunk('ICCP', Buffer.from('profile')), PIXELS);
    expect(contentOf(colored).equals(colored)).toBe(true);
  });

  it.each<[string, Buffer]>([
    ['an end', jpeg(frame(9, 7), SCAN).subarray(0, -2)],
    ['pixels', jpeg(frame(9, 7))],
    ['a frame', jpeg(SCAN)],
    ['the length of a segment', Buffer.from('ffd8ffe0', 'hex')],
    ['a whole segment', Buffer.from('ffd8ffe1ffff00', 'hex')],
    ['a chunk behind the header', png(9, 7).subarray(0, 33)],
    ['the rest of a chunk', png(9, 7).subarray(0, 40)],
    ['pixels', Buffer.concat([png(9, 7).subarray(0, 33), png(9, 7).subarray(-12)])],
    ['a whole header', Buffer.concat([png(9, 7).subarray(0, 20), png(9, 7).subarray(-12)])],
    ['pixels', webp(extended(0, 9, 7))],
    ['anything behind its length', webp(Buffer.from('VP8L\0\0\0\0'))],
    ['the length that it says', Buffer.concat([WEBP.subarray(0, 4), u32le(60_000), WEBP.subarray(8)])],
    ['a length', Buffer.from('RIFF')],
  ])('is none without %s', (_, file) => {
    expect(pictureIn(file)).toHaveProperty('fault');
  });

  it.each<[string, Buffer]>([
    ['two frames', jpeg(frame(10, 10), frame(16_000, 16_000), SCAN)],
    ['two headers', pngWith(png(9, 7).subarray(8, 33))],
    [
      'another chunk first',
      Buffer.concat([png(9, 7).subarray(0, 8), pngChunk('tEXt', Buffer.from('a')), png(9, 7).subarray(8)]),
    ],
    ['a chunk that must be known', pngWith(pngChunk('NIKO', Buffer.from('a')))],
    ['more pixels than its canvas', webp(extended(0, 1, 1), webpPixels(4000, 4000))],
    [
      'a frame with more pixels than its canvas',
      webp(extended(2, 1, 1), riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), webpPixels(4000, 4000)]))),
    ],
  ])('is none with %s', (_, file) => {
    expect(pictureIn(file)).toEqual(BROKEN);
  });

  it('has the size of its frame, not of one in a segment that is skipped', () => {
    const hidden = segment(0xe5, Buffer.concat([Buffer.alloc(3000), frame(10, 10)]));
    const file = jpeg(hidden, frame(16_000, 16_000), SCAN);
    expect(pictureIn(file)).toEqual({
      fault: 'must be at most 4096 pixels wide and high: it is 16000 × 16000',
    });
  });
});

function webpPixels(width: number, height: number): Buffer {
  const bits = Buffer.alloc(4);
  bits.writeUInt32LE((width - 1) | ((height - 1) << 14));
  return riffChunk('VP8L', Buffer.concat([Buffer.from([0x2f]), bits]));
}

/** An Exif block whose orientation has 32 bits. */
function withLong(block: Buffer): Buffer {
  const long = Buffer.from(block);
  long.writeUInt16BE(4, 12);
  long.writeUInt32BE(long.readUInt16BE(18), 18);
  return long;
}
