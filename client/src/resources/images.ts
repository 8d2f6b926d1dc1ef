import type { CallOptions, File } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Image, ImageList, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** Pictures that pages and offers show. */
export class Images extends Resource {
  /** Those that were uploaded, newest first. */
  list(query?: Query<'images_list'>, options?: CallOptions): List<ImageList, Image> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/images', { query: { ...query, ...from } }, options),
      ({ images }) => images,
    );
  }

  /** Uploads a PNG, JPEG or WebP picture of at most 200,000 bytes. The same picture again gives the same answer. */
  upload(picture: File, options?: CallOptions): Promise<Answer<'images_upload'>> {
    return this.connection.uploading('/api/v1/public/images', picture, options);
  }

  /**
   * Deletes a picture. One that is shown is `image_in_use`, unless with `force`: what shows it goes on without it then.
   */
  delete(id: string, query?: Query<'images_delete'>, options?: CallOptions): Promise<Answer<'images_delete'>> {
    return this.connection.repeatable('delete', '/api/v1/public/images/{id}', { path: { id }, query }, options);
  }
}
