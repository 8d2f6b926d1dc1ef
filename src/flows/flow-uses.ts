import { Injectable } from '@nestjs/common';
import { ImageUses, ShowsImages } from '../images/image-uses';
import type { OfferUse, OfferUses } from '../offers/offer-uses';
import { MAX_PAGE } from '../platform/api/paging/pagination';
import { MAX_USES, type Use } from '../platform/api/problems/problem';
import { statement } from '../platform/database/transaction/statement';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { CURRENT_FLOWS, NOT_ARCHIVED } from './flow-queries';

/** The flows whose current versions present an offer. */
const PRESENTING = statement(
  `SELECT flow.id, content.name, flow.status FROM ${CURRENT_FLOWS}
  WHERE flow.workspace_id = :workspace AND flow.status = ANY (:statuses) AND :offer::uuid = ANY (content.offer_ids)
  ORDER BY flow.id DESC LIMIT ${MAX_PAGE}`,
);

/** A graph in which a page shows a picture. */
const SHOWS = `@> jsonb_build_object('nodes', jsonb_build_array(jsonb_build_object('config', jsonb_build_object('image', jsonb_build_object('url', :url::text)))))`;

/** The flows that show a picture, live or in their drafts. */
const SHOWING = statement(
  `SELECT 'flow' AS type, flow.id, content.name, NOT content.definition ${SHOWS} AS is_draft
  FROM ${CURRENT_FLOWS} LEFT JOIN flow_drafts AS draft ON draft.workspace_id = flow.workspace_id AND draft.flow_id = flow.id
  WHERE flow.workspace_id = :workspace AND flow.status = ANY (:statuses)
    AND (content.definition ${SHOWS} OR draft.definition ${SHOWS})
  ORDER BY flow.id DESC LIMIT ${MAX_USES}`,
);

/** Flows present offers. */
@Injectable()
export class FlowsPresentingOffers implements OfferUses {
  constructor(private readonly units: UnitsOfWork) {}

  async of(tenant: Tenant, offer: string): Promise<OfferUse[] | undefined> {
    const uses = await this.units.reader(tenant).rows<OfferUse>(PRESENTING, { statuses: NOT_ARCHIVED, offer });
    return uses.length > 0 ? uses : undefined;
  }
}

/** Flows show pictures. */
@Injectable()
export class FlowsShowingImages extends ShowsImages {
  constructor(
    private readonly units: UnitsOfWork,
    uses: ImageUses,
  ) {
    super(uses);
  }

  showing(tenant: Tenant, url: string): Promise<Use[]> {
    return this.units.reader(tenant).rows(SHOWING, { statuses: NOT_ARCHIVED, url });
  }
}
