import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Jobs } from '../platform/database/jobs.service';
import type { Image } from './image.entity';
import { pictureIn } from './picture';

const EVERY_MS = 10 * 60_000;

type Stored = Pick<Image, 'workspace_id' | 'id' | 'type' | 'width' | 'height' | 'content'>;

const WITH_METADATA = `SELECT workspace_id, id, type, width, height, content FROM images WHERE NOT is_stripped
  ORDER BY workspace_id, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;
const STRIP = `UPDATE images SET width = $3, height = $4, content = $5, is_stripped = true WHERE workspace_id = $1 AND id = $2`;

/** Takes the metadata from pictures that an older version of the service has kept as they were sent. */
@Injectable()
export class ImageStripping {
  private readonly logger = new Logger('Images');

  constructor(
    private readonly dataSource: DataSource,
    jobs: Jobs,
  ) {
    jobs.add({ name: 'Stripping pictures', everyMs: EVERY_MS, run: () => this.stripNext() });
  }

  /** Strips one picture. Returns whether there was one. */
  private stripNext(): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [stored] = await manager.query<Stored[]>(WITH_METADATA);
      if (!stored) return false;
      const read = pictureIn(stored.content);
      // It was accepted by another rule, and pages may show it.
      if ('fault' in read)
        this.logger.warn(
          `The picture ${stored.id} of workspace ${stored.workspace_id} stays as it is: it ${read.fault}`,
        );
      const { width, height, content } = 'fault' in read ? stored : read;
      await manager.query(STRIP, [stored.workspace_id, stored.id, width, height, content]);
      return true;
    });
  }
}
