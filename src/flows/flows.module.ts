import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OffersModule } from '../offers/offers.module';
import { ImagesModule } from '../images/images.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { FlowChanges } from './flow-changes.service';
import { FlowDraft } from './flow-draft.entity';
import { FlowDraftsController } from './flow-drafts.controller';
import { FlowLanguages } from './flow-languages.service';
import { FlowLookup } from './flow-lookup.service';
import { FlowReviewController } from './flow-review.controller';
import { FlowReview } from './flow-review.service';
import { FlowSlug } from './flow-slug.entity';
import { FlowVersionsController } from './flow-versions.controller';
import { FlowVersions } from './flow-versions.service';
import { FlowVersion } from './flow-version.entity';
import { Flow } from './flow.entity';
import { FlowsController } from './flows.controller';
import { FlowsService } from './flows.service';
import { OfferFlowsController } from './offer-flows.controller';

@Module({
  imports: [
    TypeOrmModule.forFeature([Flow, FlowVersion, FlowDraft, FlowSlug]),
    ImagesModule,
    WorkspacesModule,
    OffersModule,
  ],
  controllers: [
    FlowsController,
    FlowVersionsController,
    FlowDraftsController,
    FlowReviewController,
    OfferFlowsController,
  ],
  providers: [FlowsService, FlowChanges, FlowLanguages, FlowVersions, FlowLookup, FlowReview],
  exports: [FlowsService, FlowChanges, FlowVersions, FlowLanguages, FlowLookup],
})
export class FlowsModule {}
