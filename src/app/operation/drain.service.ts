import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Jobs } from '../../platform/database/queue/jobs.service';

/** How long no connection must arrive before the listener closes. */
const QUIET_MS = 50;
/** How long responses are held back at most, if connections keep arriving. */
const MAX_HOLD_MS = 500;
/** When connections that still wait for a response are closed, from the start of the drain. */
const CLOSE_ALL_MS = 7500;

/** Stops the HTTP server without losing requests, and the work in the background without cutting it off. */
@Injectable()
export class DrainService {
  /** Set when the drain begins; the service then reports itself as not ready. */
  hasBegun = false;
  /** The responses being held back, or undefined if none should be. */
  private held?: (() => void)[];

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly jobs: Jobs,
  ) {}

  /** Adds the hook that closes connections behind their responses while the process stops. */
  holdResponses(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (!this.hasBegun) return done(null, payload);
      reply.header('connection', 'close');
      if (this.held) this.held.push(() => done(null, payload));
      else done(null, payload);
    });
  }

  /**
   * Stops the work in the background, beside everything else. Serves requests for another `acceptMs`, but closes
   * each connection after its response, so that clients and load balancers move to other processes. Then accepts no new
   * connections, and resolves when all open ones have closed: idle ones at once, the others after their response.
   *
   * The kernel resets connections that arrive at the instant the listener closes. Clients that reconnect for each
   * request would keep arriving, so all responses are held back until no connection has arrived for 50 ms (500 ms at
   * most).
   */
  async drain(acceptMs: number): Promise<void> {
    const { server } = this.fastify;
    this.hasBegun = true;
    const idle = this.jobs.stop();
    const closed = new Promise((resolve) => server.once('close', resolve));
    setTimeout(() => server.closeAllConnections(), CLOSE_ALL_MS).unref();
    await pause(acceptMs);

    const held: (() => void)[] = (this.held = []);
    await this.untilNoArrivals();
    server.close();
    this.held = undefined;
    for (const send of held) send();
    await Promise.all([closed, idle]);
  }

  private async untilNoArrivals(): Promise<void> {
    const { server } = this.fastify;
    const start = performance.now();
    let arrivals = 0;
    const count = () => arrivals++;
    server.on('connection', count);
    do {
      arrivals = 0;
      await pause(QUIET_MS);
    } while (arrivals > 0 && performance.now() - start < MAX_HOLD_MS);
    server.off('connection', count);
  }

  private get fastify(): FastifyInstance {
    return this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
  }
}
