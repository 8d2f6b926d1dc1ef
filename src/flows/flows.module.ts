import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { OffersModule } from '../offers/offers.module';
import { FlowLookup } from './flow-lookup.service';
import { FlowSlug } from './flow-slug.entity';
import { FlowVersion } from './flow-version.entity';
import { Flow } from './flow.entity';
import { FlowsController } from './flows.controller';
import { FlowsService } from './flows.service';

@Module({
  imports: [TypeOrmModule.forFeature([Flow, FlowVersion, FlowSlug]), EventsModule, OffersModule],
  controllers: [FlowsController],
  providers: [FlowsService, FlowLookup],
  exports: [FlowsService, FlowLookup],
})
export class FlowsModule {}
