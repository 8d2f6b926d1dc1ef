/** The tag of the orientation in an IFD (CIPA DC-008, 4.6.5). */
const ORIENTATION = 0x0112;
/** The type of a value of 32 bits. It should have 16. */
const LONG = 4;
/** A header of 8 bytes, and an IFD with one entry of 12. */
const SMALLEST = 26;

/**
 * Which way up a picture is shown, by its Exif block (a TIFF file): 2 to 8; undefined if it is upright or doesn't say.
 */
export function orientationIn(exif: Buffer): number | undefined {
  const order = exif.toString('latin1', 0, 2);
  if (exif.length < SMALLEST || !['II', 'MM'].includes(order)) return undefined;
  const isLittle = order === 'II';
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const long = (at: number) => (isLittle ? exif.readUInt32LE(at) : exif.readUInt32BE(at));
  const entries = long(4);
  if (entries + 2 > exif.length) return undefined;
  const end = Math.min(entries + 2 + 12 * short(entries), exif.length - 11);
  for (let entry = entries + 2; entry < end; entry += 12) {
    if (short(entry) !== ORIENTATION) continue;
    const orientation = short(entry + 2) === LONG ? long(entry + 8) : short(entry + 8);
    return orientation >= 2 && orientation <= 8 ? orientation : undefined;
  }
  return undefined;
}

/** An Exif block that says the orientation and nothing else. No block from which it was read is smaller. */
export function exifOf(orientation: number): Buffer {
  const exif = Buffer.alloc(SMALLEST);
  exif.write('MM', 'latin1');
  exif.writeUInt16BE(42, 2);
  exif.writeUInt32BE(8, 4);
  exif.writeUInt16BE(1, 8);
  exif.writeUInt16BE(ORIENTATION, 10);
  // One value of 16 bits.
  exif.writeUInt16BE(3, 12);
  exif.writeUInt32BE(1, 14);
  exif.writeUInt16BE(orientation, 18);
  return exif;
}
