import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxEntry } from './outbox-entry.entity';
import { Outbox } from './outbox.service';

/** What happens, recorded in the transaction in which it happens. */
@Module({
  imports: [TypeOrmModule.forFeature([OutboxEntry])],
  providers: [Outbox],
  exports: [Outbox],
})
export class OutboxModule {}
