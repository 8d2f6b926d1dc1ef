import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Config } from '../config';
import { dataSourceOptions } from './data-source';
import { LoadShedding } from './load-shedding.service';
import { migrate } from './migrations';
import { Transactions } from './transactions';

/** The connection to Postgres, with the schema up to date. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: ({ databaseUrl, databasePoolSize }: Config) => ({
        ...dataSourceOptions(databaseUrl!, databasePoolSize),
        autoLoadEntities: true,
        toRetry: () => false,
      }),
      dataSourceFactory: async (options) => {
        const dataSource = await new DataSource(options!).initialize();
        await migrate(dataSource);
        return dataSource;
      },
    }),
  ],
  providers: [Transactions, LoadShedding],
  exports: [Transactions],
})
export class DatabaseModule {}
