import { Injectable } from '@nestjs/common';
import { MAX_USES, type Use } from '../platform/api/problems/problem';
import type { Tenant } from '../tenancy/work/tenant';

/** Where pictures are shown, in whatever module. */
@Injectable()
export class ImageUses {
  private readonly places: ShowsImages[] = [];

  add(place: ShowsImages): void {
    this.places.push(place);
  }

  async of(tenant: Tenant, url: string): Promise<Use[]> {
    const found: Use[] = [];
    for (const place of this.places) found.push(...(await place.showing(tenant, url)));
    return found.slice(0, MAX_USES);
  }
}

/** Something that shows pictures, which don't know of it. It registers itself: list it in `providers` of its module. */
export abstract class ShowsImages {
  constructor(uses: ImageUses) {
    uses.add(this);
  }

  /** The places that show the picture with a URL, at most some 20, without archived ones. */
  abstract showing(tenant: Tenant, url: string): Promise<Use[]>;
}
