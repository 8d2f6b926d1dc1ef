import { Injectable } from '@nestjs/common';
import { Config } from '../../settings/config';
import { OffersService } from '../../offers/offers.service';
import type { ReviewDto, ReviewQuery } from '../dto/flow-review.dto';
import type { Tenant } from '../../tenancy/work/tenant';
import { FlowVersions } from '../versions/flow-versions.service';
import { FlowsService } from '../flows.service';
import { buttonOf } from './button';
import { reviewOf } from './review';
import type { Jurisdiction } from '../../workspaces/jurisdictions';
import { WorkspacesService } from '../../workspaces/workspaces.service';

/** Reviews flows by the rules of jurisdictions. */
@Injectable()
export class FlowReview {
  constructor(
    private readonly flows: FlowsService,
    private readonly versions: FlowVersions,
    private readonly offers: OffersService,
    private readonly workspaces: WorkspacesService,
    private readonly config: Config,
  ) {}

  async review(tenant: Tenant, id: string, { rules, draft, button, cancel_label }: ReviewQuery): Promise<ReviewDto> {
    const flow = await this.flows.get(tenant, id);
    const { exit, install, slug } = flow;
    const { flow_mode, definition, offer_ids } = draft === 'true' ? await this.versions.draft(tenant, id) : flow;
    const offers = await this.offers.wordsOf(tenant, offer_ids);
    const chosen = rules?.split(',') as Jurisdiction[] | undefined;
    const jurisdictions = chosen ?? (await this.workspaces.get(tenant.workspaceId)).jurisdictions;
    const { sendsMails } = this.config;
    const seen = { exit, button: buttonOf(slug, install, button), cancel_label, sendsMails };
    return { findings: reviewOf({ flow_mode, definition, offers, ...seen }, jurisdictions) };
  }
}
