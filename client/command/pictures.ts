import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { idOfFile, pathOf } from '../../src/images/image-path.ts';
import { pictureIn } from '../../src/images/picture.ts';
import type { RetentionFlow } from '../src/index.ts';
import { FileError, isObject, type ReadDocument } from './document.ts';
import { valuesIn } from './walk.ts';

/** A picture in a file beside the document. */
export interface Picture {
  /** As the document names it. */
  file: string;
  id: string;
  content: Uint8Array<ArrayBuffer>;
}

/** The pictures that a document has as `image: {file}`, which from now on has their `url` in place of it. */
export async function takePictures({ document, lineOf, folderOf }: ReadDocument): Promise<Picture[]> {
  const taken = new Map<string, Picture>();
  for (const { value, field, pointer } of valuesIn(document)) {
    if (field !== 'image' || !isObject(value) || typeof value.file !== 'string') continue;
    const { file } = value;
    const content = await readFile(resolve(folderOf(`${pointer}/file`), file)).catch((error: Error) => {
      throw new FileError(`${lineOf(`${pointer}/file`)}: ${error.message}`);
    });
    // What the service would refuse, a plan refuses.
    const read = pictureIn(content);
    if ('fault' in read) throw new FileError(`${lineOf(`${pointer}/file`)}: ${file} ${read.fault}`);
    if (value.url !== undefined) throw new FileError(`${lineOf(pointer)}: ${pointer} has both file and url`);
    const id = idOfFile(createHash('sha256').update(content).digest('hex'));
    delete value.file;
    value.url = pathOf(id);
    taken.set(id, { file, id, content: new Uint8Array(content) });
  }
  return [...taken.values()];
}

/** As many as a dry run takes. */
const MAX_NEW = 100;

/** Those that the workspace does not have yet. */
export async function missingOf(rf: RetentionFlow, pictures: Picture[]): Promise<Picture[]> {
  if (pictures.length === 0) return [];
  const { images } = await rf.images.list();
  const uploaded = new Set(images.map(({ id }) => id));
  const missing = pictures.filter(({ id }) => !uploaded.has(id));
  if (missing.length > MAX_NEW)
    throw new FileError(`${missing.length} pictures are new: ${MAX_NEW} at most at a time.`);
  return missing;
}
