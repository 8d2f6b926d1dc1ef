import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxEntry } from './outbox-entry.entity';
import { Outbox } from './outbox.service';

/** Records events in the transaction in which they happen. */
@Module({
  imports: [TypeOrmModule.forFeature([OutboxEntry])],
  providers: [Outbox],
  exports: [Outbox],
})
export class OutboxModule {}
