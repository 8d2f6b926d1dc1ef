import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { firstIdAt } from '../common/ids';
import { type Page, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { readTime } from '../database/time';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { Event } from '../events/event.entity';
import { insertTest, recoverDeliveries, type Span } from './delivery-statements';
import { Delivery } from './delivery.entity';
import { LISTED, type ListDeliveriesQuery, type ListedDelivery, type RecoverDto } from './dto/delivery.dto';
import { WebhooksService } from './webhooks.service';
import { DeliveryWorker } from './worker/delivery-worker';

/** What is sent to a webhook, and what is to be sent again. */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>,
    private readonly webhooks: WebhooksService,
    private readonly worker: DeliveryWorker,
    private readonly transactions: Transactions,
    private readonly turns: Turns,
  ) {}

  /** The deliveries to a webhook, by the time of their events. */
  async list(workspaceId: string, webhookId: string, query: ListDeliveriesQuery): Promise<Page<ListedDelivery>> {
    await this.webhooks.get(workspaceId, webhookId);
    return readPage(query, (before, take) => {
      const deliveries = this.deliveries
        .createQueryBuilder('delivery')
        .select('delivery.event_id', 'id')
        .addSelect('event.type', 'type')
        .innerJoin(Event, 'event', 'event.workspace_id = delivery.workspace_id AND event.id = delivery.event_id')
        .where('delivery.workspace_id = :workspaceId AND delivery.webhook_id = :webhookId', { workspaceId, webhookId })
        .andWhere('delivery.event_id < :before', { before })
        .orderBy('delivery.event_id', 'DESC')
        .limit(take);
      for (const column of LISTED) deliveries.addSelect(`delivery.${column}`, column);
      if (query.status) deliveries.andWhere('delivery.status = :status', { status: query.status });
      return this.turns.run(workspaceId, () => deliveries.getRawMany<ListedDelivery & { id: string }>());
    });
  }

  /** Queues a test for a webhook, also for a disabled one. Returns the id of the event. */
  async test(workspaceId: string, webhookId: string): Promise<string> {
    const eventId = await this.transactions.run((manager) => insertTest(workspaceId, webhookId, manager));
    if (eventId === undefined) throw new Problem('not_found');
    this.worker.wake(workspaceId, [webhookId]);
    return eventId;
  }

  /**
   * Queues what a webhook asks for and did not get, and returns how many deliveries that were. What is pending stays as it
   * is. It goes in batches; if it is cut short, the next call queues the rest.
   */
  async recover(workspaceId: string, webhookId: string, request: RecoverDto): Promise<number> {
    const webhook = await this.webhooks.get(workspaceId, webhookId);
    let span: Span | undefined = await this.spanOf(request);
    if (webhook.status === 'disabled') throw new Problem('webhook_disabled');
    let deliveries = 0;
    while (span) {
      const part: Span = span;
      const recover = () =>
        this.transactions.run((manager) => recoverDeliveries(workspaceId, webhookId, part, manager));
      const { queued, rest } = await this.turns.run(workspaceId, recover);
      if (queued > 0) this.worker.wake(workspaceId, [webhookId]);
      deliveries += queued;
      span = rest;
    }
    return deliveries;
  }

  private async spanOf({ since, until }: RecoverDto): Promise<Span> {
    const now = await readTime(this.deliveries.manager);
    const from = new Date(since);
    const to = until === undefined ? now : new Date(until);
    if (from > now) throw Problem.invalid([{ pointer: '/since', message: 'must not be in the future' }]);
    if (until !== undefined && to <= from)
      throw Problem.invalid([{ pointer: '/until', message: 'must be after since' }]);
    return { after: firstIdAt(from), end: firstIdAt(to) };
  }
}
