import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Problem } from '../common/problem';
import { isApiRequest } from '../http/surface';

/** A connection does at least a few dozen things a second, so that who waits behind so many is served before it gives up. */
const WAITING_PER_CONNECTION = 50;

/**
 * Turns requests away at once when more work waits for a connection to Postgres than can be done in time. Otherwise,
 * under more load than there is room for, everybody would wait until all time out.
 */
@Injectable()
export class LoadShedding implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost<FastifyAdapter>,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    const pool = (this.dataSource.driver as PostgresDriver).master as Pool;
    const most = pool.options.max * WAITING_PER_CONNECTION;
    this.adapterHost.httpAdapter.getInstance<FastifyInstance>().addHook('onRequest', (request, _, done) => {
      if (isApiRequest(request) && pool.waitingCount >= most) done(new Problem('service_unavailable'));
      else done();
    });
  }
}
