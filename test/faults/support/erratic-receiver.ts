import { setTimeout as pause } from 'node:timers/promises';
import { type Received, Receiver, type Reply } from '../../support/receiver';
import { integer, type Random, sequence } from './seed';

/** The most requests about one event that get no 2xx. An event has ten attempts, and the faults of a test cost some. */
const MAX_REFUSALS = 2;
const SLOW_MS = 200;
const HANG_MS = 1500;

/** What a receiver knows of an event. */
export interface ReceivedEvent {
  id: string;
  type: string;
  flowSessionId: string;
  text: string;
  refusals: number;
  isAcknowledged: boolean;
}

/**
 * An integrator's endpoint that answers as the seed says: at once, slowly, with a 500, or by closing the connection, at
 * once or late.
 */
export class ErraticReceiver {
  /** By type and session. */
  readonly events = new Map<string, ReceivedEvent>();
  /** What no fault justifies, each kind once. */
  readonly violations = new Set<string>();
  requests = 0;
  private readonly random: Random;

  private constructor(
    private readonly receiver: Receiver,
    seed: number,
  ) {
    this.random = sequence(seed, 'receiver');
    receiver.reply = (request) => this.answer(request);
  }

  static async start(seed: number): Promise<ErraticReceiver> {
    return new ErraticReceiver(await Receiver.start(), seed);
  }

  get url(): string {
    return this.receiver.url;
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }

  private async answer(request: Received): Promise<Reply> {
    const event = this.note(request);
    const reply = await this.replyTo(event);
    if (reply === 204) event.isAcknowledged = true;
    return reply;
  }

  private note({ id, text, body: { type, data } }: Received): ReceivedEvent {
    this.requests++;
    const flowSessionId: string = data.session.id;
    const started = this.events.get(`session.started ${flowSessionId}`);
    if (type !== 'session.started' && !started?.isAcknowledged) this.violations.add(`${type} before session.started`);

    const key = `${type} ${flowSessionId}`;
    const event = this.events.get(key) ?? { id, type, flowSessionId, text, refusals: 0, isAcknowledged: false };
    this.events.set(key, event);
    if (event.id !== id) this.violations.add(`two ids of one ${type}`);
    if (event.text !== text) this.violations.add(`another body of the same ${type}`);
    return event;
  }

  private async replyTo(event: ReceivedEvent): Promise<Reply> {
    const way = integer(this.random, 1, 100);
    if (way > 70) await pause(integer(this.random, 0, SLOW_MS));
    if (way <= 80 || event.refusals === MAX_REFUSALS) return 204;
    event.refusals++;
    if (way <= 90) return 500;
    if (way > 98) await pause(HANG_MS);
    return 'close';
  }
}
