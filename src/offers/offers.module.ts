import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImagesModule } from '../images/images.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { OfferChanges } from './offer-changes.service';
import { OfferDraft } from './versions/offer-draft.entity';
import { OfferDraftsController } from './versions/offer-drafts.controller';
import { OfferTermsCheck } from './terms/check';
import { OfferVersion } from './versions/offer-version.entity';
import { OfferVersionsController } from './versions/offer-versions.controller';
import { OfferVersions } from './versions/offer-versions.service';
import { Offer } from './offer.entity';
import { OffersShowingImages } from './offers-showing-images';
import { OffersController } from './offers.controller';
import { OffersService } from './offers.service';

@Module({
  imports: [TypeOrmModule.forFeature([Offer, OfferVersion, OfferDraft]), ImagesModule, WorkspacesModule],
  controllers: [OffersController, OfferVersionsController, OfferDraftsController],
  providers: [OffersService, OfferChanges, OfferVersions, OffersShowingImages, OfferTermsCheck],
  exports: [OffersService],
})
export class OffersModule {}
