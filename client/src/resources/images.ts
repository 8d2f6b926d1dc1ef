import type { CallOptions, File } from '../connection.ts';
import type { Answer, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** Pictures that pages and offers show. */
export class Images extends Resource {
  /** All that were uploaded, newest first. */
  list(options?: CallOptions): Promise<Answer<'images_list'>> {
    return this.connection.repeatable('get', '/api/v1/public/images', {}, options);
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
