import { Injectable, Logger } from '@nestjs/common';
import { ConnectionPool } from '../platform/database/connection/connection-pool';
import { type Job, Jobs } from '../platform/database/queue/jobs.service';
import { statement } from '../platform/database/transaction/statement';
import { theServiceIn } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { Image } from './image.entity';
import { pictureIn } from './picture';

const EVERY_MS = 10 * 60_000;
const BATCH = 10;

const DUE = statement('SELECT DISTINCT workspace_id FROM images WHERE NOT is_stripped LIMIT 100');
const WITH_METADATA = statement(`SELECT id, type, width, height, content FROM images
  WHERE workspace_id = :workspace AND NOT is_stripped ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`);

/** Takes the metadata from pictures that an older version of the service has kept as they were sent. */
@Injectable()
export class ImageStripping {
  private readonly logger = new Logger('Images');
  private readonly job: Job;

  constructor(
    private readonly connections: ConnectionPool,
    private readonly units: UnitsOfWork,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Stripping pictures', everyMs: EVERY_MS, run: () => this.stripSome() });
  }

  /** Strips some pictures of each workspace. Returns whether there were any. */
  private async stripSome(): Promise<boolean> {
    const due = await this.connections.rows<{ workspace_id: string }>(DUE);
    await this.job.forEach(due, ({ workspace_id }) =>
      this.units.run(theServiceIn(workspace_id), async (work) => {
        let unread = 0;
        for (const { id, ...stored } of await work.rows<Image>(WITH_METADATA)) {
          const read = pictureIn(stored.content);
          // It was accepted by another rule, and pages may show it.
          const isRead = !('fault' in read);
          if (!isRead) unread++;
          await work.update(Image, id, { ...(isRead ? read : stored), is_stripped: true });
        }
        if (unread > 0)
          this.logger.warn(`Pictures of workspace ${workspace_id} that can't be read stay as they are: ${unread}`);
      }),
    );
    return due.length > 0;
  }
}
