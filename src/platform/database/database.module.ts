import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Config } from '../../app/config';
import { Citus } from './citus';
import { DatabaseClock } from './clock.service';
import { ConnectionPool } from './connection-pool';
import { dataSourceOptions } from './data-source';
import { DatabaseHealth } from './database-health.service';
import { Idempotency } from './idempotency.service';
import { IdempotencyKey } from './idempotency-key.entity';
import { Jobs } from './jobs.service';
import { Pipeline } from './pipeline.service';
import { Pooler } from './pooler';
import { SchemaCheck } from './schema-check.service';
import { Transactions } from './transactions';
import { ManagementLimits } from './management-limits.service';

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
