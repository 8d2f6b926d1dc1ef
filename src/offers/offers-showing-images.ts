import { Injectable } from '@nestjs/common';
import { ImageUses, ShowsImages } from '../images/image-uses';
import { MAX_USES, type Use } from '../platform/api/problems/problem';
import { statement } from '../platform/database/transaction/statement';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';

/** The offers that show a picture, live or in their drafts. */
const SHOWING = statement(
  `SELECT 'offer' AS type, offer.id, offer.name, offer.image ->> 'url' IS DISTINCT FROM :url AS is_draft
  FROM offers AS offer
  LEFT JOIN offer_drafts AS draft ON draft.workspace_id = offer.workspace_id AND draft.offer_id = offer.id
  WHERE offer.workspace_id = :workspace AND offer.status = 'active' AND :url IN (offer.image ->> 'url', draft.image ->> 'url')
  ORDER BY offer.id DESC LIMIT ${MAX_USES}`,
);

/** Offers show pictures. */
@Injectable()
export class OffersShowingImages extends ShowsImages {
  constructor(
    private readonly units: UnitsOfWork,
    uses: ImageUses,
  ) {
    super(uses);
  }

  showing(tenant: Tenant, url: string): Promise<Use[]> {
    return this.units.reader(tenant).rows(SHOWING, { url });
  }
}
