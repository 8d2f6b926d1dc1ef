import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { idOfContent } from '../platform/api/ids';
import { type FieldError, Problem } from '../platform/api/problem';
import { requireRoom } from '../platform/api/room';
import { now } from '../platform/database/time';
import type { Tenant } from '../tenancy/tenant';
import { UnitsOfWork } from '../tenancy/units-of-work.service';
import type { Reader } from '../tenancy/work';
import { WorkspaceCodes } from '../workspaces/workspace-codes.service';
import { Workspace } from '../workspaces/workspace.entity';
import type { UploadedImageDto } from './dto/image.dto';
import { idIn, pathOf } from './image-path';
import { MAX_IMAGES } from './image-limits';
import { Image } from './image.entity';
import { pictureIn } from './picture';

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
    private readonly codes: WorkspaceCodes,
    private readonly dataSource: DataSource,
  ) {}

  /** Keeps a picture. One that is there already stays as it is. */
  async upload(tenant: Tenant, content: Buffer): Promise<UploadedImageDto & { isNew: boolean }> {
    const picture = pictureIn(content);
    if ('fault' in picture) throw Problem.invalid([{ pointer: '', message: picture.fault }]);
    const id = idOfContent(createHash('sha256').update(content).digest('hex'));
    return this.units.run(tenant, async (work) => {
      await this.codes.lock(work);
      const isNew = (await work.count(Image, { id })) === 0;
      if (isNew) {
        requireRoom(await work.count(Image), MAX_IMAGES, 'image_limit_reached');
        work.insert(Image, { id, ...picture, content, created_at: now });
        work.log({ action: 'image.uploaded', subject: subjectOf(id) });
      }
      return { id, url: pathOf(id), isNew };
    });
  }

  /** Newest first, without their content. */
  list(tenant: Tenant): Promise<Image[]> {
    return this.units.reader(tenant).find(Image, {}, { order: { created_at: 'DESC', id: 'DESC' } });
  }

  delete(tenant: Tenant, id: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      await work.get(Image, id);
      await work.delete(Image, id);
      work.log({ action: 'image.deleted', subject: subjectOf(id) });
    });
  }

  /** The content of a picture, for whoever has its address; undefined if no workspace has it. */
  async contentOf(id: string): Promise<Pick<Image, 'type' | 'content'> | undefined> {
    const [image] = await this.dataSource.query<Pick<Image, 'type' | 'content'>[]>(
      'SELECT type, content FROM images WHERE id = $1 LIMIT 1',
      [id],
    );
    return image;
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
    const found = ids.length > 0 ? await reader.find(Image, { id: In(ids) }, { select: { id: true } }) : [];
    const uploaded = new Set(found.map(({ id }) => id));
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
