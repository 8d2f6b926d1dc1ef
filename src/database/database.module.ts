import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config';
import { dataSourceOptions } from './data-source';
import { DatabaseHealth } from './database-health.service';
import { LoadShedding } from './load-shedding.service';
import { isPooled } from './pooler';
import { Transactions } from './transactions';
import { Turns } from './turns.service';

/** The connections to Postgres, whose schema is up to date by now. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: async ({ databaseUrl, databasePoolSize }: Config) => ({
        ...dataSourceOptions(databaseUrl!, databasePoolSize, await isPooled(databaseUrl!)),
        autoLoadEntities: true,
        toRetry: () => false,
      }),
    }),
  ],
  providers: [Transactions, Turns, LoadShedding, DatabaseHealth],
  exports: [Transactions, Turns, DatabaseHealth],
})
export class DatabaseModule {}
