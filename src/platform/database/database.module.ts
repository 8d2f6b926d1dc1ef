import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Config } from '../../settings/config';
import { Citus } from './connection/citus';
import { DatabaseClock } from './connection/clock.service';
import { ConnectionPool } from './connection/connection-pool';
import { dataSourceOptions } from './connection/data-source';
import { DatabaseHealth } from './connection/database-health.service';
import { Idempotency } from './transaction/idempotency.service';
import { IdempotencyKey } from './transaction/idempotency-key.entity';
import { Jobs } from './queue/jobs.service';
import { Pipeline } from './transaction/pipeline.service';
import { Pooler } from './connection/pooler';
import { SchemaCheck } from './schema/schema-check.service';
import { Transactions } from './transaction/transactions';
import { ManagementLimits } from './queue/management-limits.service';

const SERVICES = [
  ConnectionPool,
  Transactions,
  Pipeline,
  ManagementLimits,
  Idempotency,
  DatabaseClock,
  DatabaseHealth,
  Jobs,
  SchemaCheck,
];

/** The connections to Postgres. main.ts has already brought the schema up to date. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config, Pooler],
      useFactory: ({ databaseUrl, databasePoolSize }: Config, pooler: Pooler) => ({
        ...dataSourceOptions(databaseUrl!, databasePoolSize, pooler),
        autoLoadEntities: true,
        toRetry: () => false,
      }),
    }),
    TypeOrmModule.forFeature([IdempotencyKey]),
  ],
  providers: [
    { provide: Pooler, inject: [Config], useFactory: ({ databaseUrl }: Config) => Pooler.detect(databaseUrl!) },
    { provide: Citus, inject: [DataSource], useFactory: (dataSource: DataSource) => Citus.detect(dataSource) },
    ...SERVICES,
  ],
  exports: [Pooler, Citus, ...SERVICES],
})
export class DatabaseModule {}
