import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { FlowsModule } from '../flows/flows.module';
import { OffersModule } from '../offers/offers.module';
import { ImagesModule } from '../images/images.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { ConfigurationController } from './configuration.controller';
import { ConfigurationService } from './configuration.service';

/** A workspace as one document, to keep it in git and to take it from one service to another. */
@Module({
  imports: [ImagesModule, WorkspacesModule, OffersModule, FlowsModule, EventsModule],
  controllers: [ConfigurationController],
  providers: [ConfigurationService],
  exports: [ConfigurationService],
})
export class ConfigurationModule {}
