import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/** Nobody has come in for so long: then the door can be shut without hitting anybody. */
const QUIET_MS = 50;
/** Somebody always comes in: so long are answers held back at most. */
const HOLD_MS = 500;
/** After that, whoever has not got an answer is cut off. */
const LAST_ANSWER_MS = 7500;

/** Stops the service without cutting anybody off. */
@Injectable()
export class DrainService implements OnModuleInit {
  /** From the first moment on: whoever asks whether the service is ready is told that it is not. */
  hasBegun = false;
  /** Answers that are held back, while they are. */
  private held?: (() => void)[];

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    this.fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (!this.hasBegun) return done(null, payload);
      reply.header('connection', 'close');
      if (this.held) this.held.push(() => done(null, payload));
      else done(null, payload);
    });
  }

  /**
   * Answers everything as ever for `acceptMs`, but closes each connection with its answer, so that clients and load
   * balancers go elsewhere by themselves. Then takes no new connections, and resolves when those that are left have
   * ended: the idle ones at once, the others with their answer.
   *
   * A connection that arrives in the instant in which the listener closes would be reset by the kernel. Clients that
   * reconnect for each request keep arriving, so for that instant all answers are held back: who waits for one does not
   * come in.
   */
  async drain(acceptMs: number): Promise<void> {
    const { server } = this.fastify;
    this.hasBegun = true;
    const closed = new Promise((resolve) => server.once('close', resolve));
    setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS).unref();
    await pause(acceptMs);

    const held: (() => void)[] = (this.held = []);
    await this.untilNobodyComes();
    server.close();
    this.held = undefined;
    for (const answer of held) answer();
    await closed;
  }

  private async untilNobodyComes(): Promise<void> {
    const { server } = this.fastify;
    const start = performance.now();
    let arrivals = 0;
    const count = () => arrivals++;
    server.on('connection', count);
    do {
      arrivals = 0;
      await pause(QUIET_MS);
    } while (arrivals > 0 && performance.now() - start < HOLD_MS);
    server.off('connection', count);
  }

  private get fastify(): FastifyInstance {
    return this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
  }
}
