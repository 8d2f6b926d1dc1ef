import { Injectable } from '@nestjs/common';
import { MAX_USES, type Use } from '../platform/api/problems/problem';
import type { Tenant } from '../tenancy/work/tenant';

/** Finds places that show the picture with a URL, at most some 20, without archived ones. */
type Find = (tenant: Tenant, url: string) => Promise<Use[]>;

/**
 * Where pictures are shown. The modules of offers and flows say how that is found, because pictures don't know of them.
 */
@Injectable()
export class ImageUses {
  private readonly finders: Find[] = [];

  findBy(find: Find): void {
    this.finders.push(find);
  }

  async of(tenant: Tenant, url: string): Promise<Use[]> {
    const found: Use[] = [];
    for (const find of this.finders) found.push(...(await find(tenant, url)));
    return found.slice(0, MAX_USES);
  }
}
