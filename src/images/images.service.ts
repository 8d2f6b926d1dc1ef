import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type FieldError, Problem } from '../platform/api/problems/problem';
import {
  LAST_TIME,
  type Page,
  type Position,
  readPageAt,
  type WholePageQuery,
} from '../platform/api/paging/pagination';
import { requireRoom } from '../platform/api/room';
import { statement } from '../platform/database/transaction/statement';
import { now } from '../platform/database/time';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { type Reader, Work } from '../tenancy/work/work';
import { WorkspaceCounter } from '../workspaces/counters/workspace-counter.service';
import { Workspace } from '../workspaces/workspace.entity';
import type { UploadedImageDto } from './dto/image.dto';
import { idIn, idOfFile, pathOf } from './image-path';
import { MAX_IMAGES } from './image-limits';
import { Image } from './image.entity';
import { ImageUses } from './image-uses';
import { pictureIn } from './picture';
import { ServedImages } from './served-images';

/** Keeps pictures from being deleted until this ends. */
const LOCK_USED = statement(
  'SELECT id FROM images WHERE workspace_id = :workspace AND id = ANY (:ids) ORDER BY id FOR KEY SHARE',
);
/** Waits for changes that are about to show it. */
const LOCK_UNUSED = statement('SELECT id FROM images WHERE workspace_id = :workspace AND id = :id FOR UPDATE');

const COPY = statement(
  `INSERT INTO images (workspace_id, id, type, width, height, content, is_stripped, created_at)
  SELECT :workspace::uuid, id, type, width, height, content, is_stripped, created_at FROM images WHERE workspace_id = :from`,
);

/** Ids are not in the order of time. A cursor has milliseconds. */
const AT = `date_trunc('milliseconds', created_at)`;
const LIST = statement(
  `SELECT id, type, width, height, created_at FROM images
  WHERE workspace_id = :workspace AND (${AT}, id) < (:at::timestamptz, :before::uuid) ORDER BY ${AT} DESC, id DESC LIMIT :take`,
);

/** A picture without its content. */
export type ListedImage = Pick<Image, 'id' | 'type' | 'width' | 'height' | 'created_at'>;

/** What is said of a picture that is left out when a version is restored. */
export const LOST_IMAGE = 'is left out: the picture was deleted since';

/** A picture that something shows, with a JSON Pointer to its URL. */
export interface UsedImage {
  url: string;
  pointer: string;
}

/** The pictures that a workspace has uploaded, and which ones it may show. */
@Injectable()
export class ImagesService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly counter: WorkspaceCounter,
    private readonly uses: ImageUses,
    private readonly served: ServedImages,
  ) {}

  /**
   * Keeps a picture without its metadata, under the hash of the file that was sent. One that is there already stays as
   * it is.
   */
  async upload(tenant: Tenant, content: Buffer): Promise<UploadedImageDto & { isNew: boolean }> {
    const picture = pictureIn(content);
    if ('fault' in picture) throw Problem.invalid([{ pointer: '', message: picture.fault }]);
    const id = idOfFile(createHash('sha256').update(content).digest('hex'));
    return this.units.run(tenant, async (work) => {
      await this.counter.lock(work);
      const isNew = (await work.count(Image, { id })) === 0;
      if (isNew) {
        requireRoom(await work.count(Image), MAX_IMAGES, 'image_limit_reached');
        work.insert(Image, { id, ...picture, is_stripped: true, created_at: now });
        work.log({ action: 'image.uploaded', subject: subjectOf(id) });
      }
      return { id, url: pathOf(id), isNew };
    });
  }

  /** Pretends, in a unit of work that is rolled back, that pictures with these ids were uploaded. */
  async rehearseUploads(work: Work, ids: string[]): Promise<void> {
    const unread = { type: 'image/png', width: 1, height: 1, content: Buffer.alloc(1), is_stripped: true } as const;
    const uploaded = await this.uploadedOf(work, ids);
    for (const id of ids.filter((one) => !uploaded.has(one))) work.insert(Image, { id, ...unread, created_at: now });
  }

  /** Newest first, without their content. */
  list(tenant: Tenant, query: WholePageQuery): Promise<Page<ListedImage>> {
    const reader = this.units.reader(tenant);
    const read = ({ before, number: at = LAST_TIME }: Position, take: number) =>
      reader.rows<ListedImage>(LIST, { before, at: new Date(at), take });
    return readPageAt(query, read, ({ id, created_at }) => ({ before: id, number: created_at.getTime() }));
  }

  /** Deletes a picture. Throws a 409 with the places where it is shown, unless it is deleted by force. */
  async delete(tenant: Tenant, id: string, force: boolean): Promise<void> {
    await this.units.run(tenant, async (work) => {
      if (!(await work.row(LOCK_UNUSED, { id }))) throw new Problem('not_found');
      const used_in = force ? [] : await this.uses.of(work, pathOf(id));
      if (used_in.length > 0) throw new Problem('image_in_use', { used_in });
      await work.delete(Image, id);
      work.log({ action: 'image.deleted', subject: subjectOf(id) });
    });
    this.served.forget(id);
  }

  /**
   * Why pictures may not be shown: they are at another host than the workspace allows, or were not uploaded to it.
   *
   * @param hosts those that it allows; without them, those of now
   */
  async faultsOf(tenant: Tenant, used: UsedImage[], hosts?: string[]): Promise<FieldError[]> {
    if (used.length === 0) return [];
    const reader = this.units.reader(tenant);
    const ids = used.flatMap(({ url }) => idIn(url) ?? []);
    const uploaded = await this.uploadedOf(reader, ids);
    const isLinked = ids.length < used.length;
    const allowed = isLinked ? (hosts ?? (await hostsOf(reader))) : [];
    return used.flatMap(({ url, pointer }) => {
      const id = idIn(url);
      if (id !== undefined)
        return uploaded.has(id) ? [] : [{ pointer, message: 'is no picture of this workspace: upload it' }];
      const { host } = new URL(url);
      return allowed.includes(host)
        ? []
        : [
            {
              pointer,
              message: `is at ${host}, which is not among the image_hosts of the workspace: allow it, or upload the picture`,
            },
          ];
    });
  }

  /** Gives a new workspace all pictures of another one. */
  async copy(work: Work, from: string): Promise<void> {
    await work.write(COPY, { from });
  }

  /** The ids, of those given, whose pictures were uploaded once and are gone. */
  async lostOf(tenant: Tenant, urls: string[]): Promise<string[]> {
    const ids = urls.flatMap((url) => idIn(url) ?? []);
    const uploaded = await this.uploadedOf(this.units.reader(tenant), ids);
    return ids.filter((id) => !uploaded.has(id)).map(pathOf);
  }

  /** The given ids that the workspace has. In a unit of work, nobody deletes their pictures until it ends. */
  private async uploadedOf(reader: Reader, ids: string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const found =
      reader instanceof Work
        ? await reader.rows<Pick<Image, 'id'>>(LOCK_USED, { ids })
        : await reader.find(Image, { id: In(ids) }, { select: { id: true } });
    return new Set(found.map(({ id }) => id));
  }

  /** Throws a 400 with a pointer to each picture that may not be shown. */
  async requireUsable(tenant: Tenant, used: UsedImage[], hosts?: string[]): Promise<void> {
    const faults = await this.faultsOf(tenant, used, hosts);
    if (faults.length > 0) throw Problem.invalid(faults);
  }
}

async function hostsOf({ manager, workspaceId }: Reader): Promise<string[]> {
  return (await manager.findOneByOrFail(Workspace, { id: workspaceId })).image_hosts;
}

function subjectOf(id: string) {
  return { type: 'image' as const, id, name: pathOf(id) };
}
