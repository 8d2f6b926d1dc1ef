import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ConnectionPool } from '../platform/database/connection/connection-pool';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { statement } from '../platform/database/transaction/statement';
import type { Image } from './image.entity';

export type ServedImage = Pick<Image, 'type' | 'content'>;

const READ = statement('SELECT type, content FROM images WHERE id = :image LIMIT 1');

const MAX_BYTES = 50_000_000;
/** How long a process shows a picture that another one has deleted. */
const KNOWN_MS = 10_000;

/** The pictures that the process has served lately. Those who ask for the same one at once share one read. */
@Injectable()
export class ServedImages {
  private readonly known = new LRUCache<string, ServedImage>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ content }) => content.length,
    ttl: KNOWN_MS,
  });
  private readonly underWay = new Map<string, Promise<ServedImage | undefined>>();

  constructor(
    private readonly connections: ConnectionPool,
    private readonly limits: ManagementLimits,
  ) {}

  /** A picture, for whoever has its address; undefined if no workspace has it. */
  async get(id: string): Promise<ServedImage | undefined> {
    const known = this.known.get(id);
    if (known) return known;
    const reading = this.underWay.get(id) ?? this.read(id);
    this.underWay.set(id, reading);
    // Not any more if it was deleted meanwhile.
    const isCurrent = () => this.underWay.get(id) === reading;
    try {
      const found = await reading;
      if (found && isCurrent()) this.known.set(id, found);
      return found;
    } finally {
      if (isCurrent()) this.underWay.delete(id);
    }
  }

  forget(id: string): void {
    this.known.delete(id);
    this.underWay.delete(id);
  }

  /** Anybody may ask, so few read at a time: starts of sessions have the other connections. */
  private read(id: string): Promise<ServedImage | undefined> {
    return this.limits.images.run(id, async () => {
      const [image] = await this.connections.rows<ServedImage>(READ, { image: id });
      return image;
    });
  }
}
