import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { type Page, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { Event } from '../events/event.entity';
import { redeliver } from './delivery-statements';
import { Delivery } from './delivery.entity';
import type { ListEventsQuery } from './dto/event.dto';
import { EventBodies } from './event-bodies.service';
import type { EventBody } from './event-body';
import { DeliveryWorker } from './worker/delivery-worker';

/** What happened in a workspace, and where it was sent. */
@Injectable()
export class EventsService {
  constructor(
    @InjectRepository(Event) private readonly events: Repository<Event>,
    @InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>,
    private readonly bodies: EventBodies,
    private readonly worker: DeliveryWorker,
    private readonly transactions: Transactions,
    private readonly turns: Turns,
  ) {}

  list(workspaceId: string, { type, flow_session_id, ...page }: ListEventsQuery): Promise<Page<Event>> {
    const filters = { ...(type && { type }), ...(flow_session_id && { flow_session_id }) };
    return readPage(page, (before, take) =>
      this.turns.run(workspaceId, () =>
        this.events.find({
          where: { workspace_id: workspaceId, id: LessThan(before), ...filters },
          order: { id: 'DESC' },
          take,
        }),
      ),
    );
  }

  /** An event with its deliveries. The body is null if what it tells of is gone. */
  async get(
    workspaceId: string,
    id: string,
  ): Promise<{ event: Event; deliveries: Delivery[]; body: EventBody | null }> {
    const event = await this.find(workspaceId, id);
    const deliveries = await this.deliveries.find({
      where: { workspace_id: workspaceId, event_id: id },
      order: { webhook_id: 'ASC' },
    });
    const [body] = await this.bodies.of(workspaceId, [event]);
    return { event, deliveries, body: body ?? null };
  }

  /** Sends an event again, and returns to how many webhooks. */
  async redeliver(workspaceId: string, id: string): Promise<number> {
    await this.find(workspaceId, id);
    const webhookIds = await this.transactions.run((manager) => redeliver(workspaceId, id, manager));
    this.worker.wake(workspaceId, webhookIds);
    return webhookIds.length;
  }

  private async find(workspaceId: string, id: string): Promise<Event> {
    const event = await this.events.findOneBy({ workspace_id: workspaceId, id });
    if (!event) throw new Problem('not_found');
    return event;
  }
}
