import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OfferUses } from '../offers/offer-uses';
import { OffersModule } from '../offers/offers.module';
import { ImagesModule } from '../images/images.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { Audience } from './audiences/audience.entity';
import { AudiencesController } from './audiences/audiences.controller';
import { AudiencesService } from './audiences/audiences.service';
import { FlowChanges } from './flow-changes.service';
import { FlowsPresentingOffers, FlowsShowingImages } from './flow-uses';
import { FlowDraft } from './versions/flow-draft.entity';
import { FlowDraftsController } from './versions/flow-drafts.controller';
import { FlowLanguages } from './languages/flow-languages.service';
import { FlowLookup } from './lookup/flow-lookup.service';
import { FlowReviewController } from './review/flow-review.controller';
import { FlowReview } from './review/flow-review.service';
import { FlowSlug } from './lookup/flow-slug.entity';
import { FlowVersionsController } from './versions/flow-versions.controller';
import { FlowVersions } from './versions/flow-versions.service';
import { FlowVersion } from './versions/flow-version.entity';
import { Flow } from './flow.entity';
import { FlowsController } from './flows.controller';
import { FlowsService } from './flows.service';
import { OfferFlowsController } from './offer-flows.controller';

@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Flow, FlowVersion, FlowDraft, FlowSlug, Audience]),
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
    AudiencesController,
  ],
  providers: [
    { provide: OfferUses, useClass: FlowsPresentingOffers },
    FlowsShowingImages,
    FlowsService,
    AudiencesService,
    FlowChanges,
    FlowLanguages,
    FlowVersions,
    FlowLookup,
    FlowReview,
  ],
  exports: [OfferUses, FlowsService, AudiencesService, FlowChanges, FlowVersions, FlowLanguages, FlowLookup],
})
export class FlowsModule {}
