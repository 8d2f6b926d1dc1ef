import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '../../../src/images/image-limits';

/** As wide as a dialog needs on a screen with three pixels for one. */
const WIDTH = 1200;
const QUALITIES = [0.9, 0.75, 0.5, 0.3];

/** A picture that the service takes: the file itself, or a smaller copy of one that is too large. */
export async function fitted(file: File): Promise<Blob> {
  const isTaken = (IMAGE_TYPES as readonly string[]).includes(file.type);
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  // The service says what is wrong with it.
  if (!bitmap || (isTaken && file.size <= MAX_IMAGE_BYTES && Math.max(bitmap.width, bitmap.height) <= WIDTH * 2))
    return file;
  const scale = Math.min(1, WIDTH / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)];
  const context = canvas.getContext('2d')!;
  const draw = () => context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  draw();
  // Safari writes no WebP, and gives PNG for it. JPEG has a ground.
  const writesWebp = (await blobOf(canvas, 'image/webp', 0.9))?.type === 'image/webp';
  if (!writesWebp) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    draw();
  }
  for (const quality of QUALITIES) {
    const copy = await blobOf(canvas, writesWebp ? 'image/webp' : 'image/jpeg', quality);
    if (copy && copy.size <= MAX_IMAGE_BYTES) return copy;
  }
  return file;
}

function blobOf(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}
