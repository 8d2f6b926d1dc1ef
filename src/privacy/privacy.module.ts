import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersController } from './customers.controller';
import { Erasure } from './erasure.entity';
import { ErasureService } from './erasure.service';
import { Retention } from './retention.service';

/** Erases customers, and deletes what is older than it is kept. The modules declare what that is of their tables. */
@Module({
  imports: [TypeOrmModule.forFeature([Erasure])],
  controllers: [CustomersController],
  providers: [ErasureService, Retention],
  exports: [ErasureService, Retention],
})
export class PrivacyModule {}
