import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArrayContains, EntityManager, LessThan, Not, Repository } from 'typeorm';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, PageQuery, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { Config } from '../config';
import { Idempotency } from '../database/idempotency.service';
import { now, readTime } from '../database/time';
import { Transactions } from '../database/transactions';
import { Turns } from '../database/turns.service';
import { refusalOf } from '../http/outbound';
import { Workspace } from '../workspaces/workspace.entity';
import { DELETION_BATCH, deleteDeliveries } from './delivery-statements';
import type { CreateWebhookDto, UpdateWebhookDto } from './dto/change-webhook.dto';
import { createSecret } from './worker/signature';
import { MAX_WEBHOOKS, Webhook } from './webhook.entity';

/** No failure is known. */
const HEALTHY = { failures: 0, failing_since: null, next_probe_at: null };

/** The webhooks of a workspace: where its events are sent to. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly transactions: Transactions,
    private readonly turns: Turns,
    private readonly idempotency: Idempotency,
    private readonly config: Config,
  ) {}

  /** A new webhook with its secret, which can't be read again. */
  async create(
    workspaceId: string,
    { url, event_types = [], description = '' }: CreateWebhookDto,
    idempotent?: IdempotentRequest,
  ): Promise<{ id: string; url: string; secret: string }> {
    this.requireAllowed(url);
    const created = { id: newId(), url, secret: createSecret() };
    const create = async (manager: EntityManager) => {
      const existing = await manager.countBy(Webhook, { workspace_id: workspaceId });
      if (existing >= MAX_WEBHOOKS) throw new Problem('webhook_limit_reached');
      await manager.insert(Webhook, {
        workspace_id: workspaceId,
        ...created,
        event_types,
        description,
        status: 'enabled',
        disabled_reason: null,
        ...HEALTHY,
        created_at: now,
        updated_at: now,
      });
      return created;
    };
    return this.subscribe(workspaceId, create, idempotent);
  }

  list(workspaceId: string, page: PageQuery): Promise<Page<Webhook>> {
    return readPage(page, (before, take) =>
      this.webhooks.find({ where: { workspace_id: workspaceId, id: LessThan(before) }, order: { id: 'DESC' }, take }),
    );
  }

  async get(workspaceId: string, id: string): Promise<Webhook> {
    const webhook = await this.webhooks.findOneBy({ workspace_id: workspaceId, id });
    if (!webhook) throw new Problem('not_found');
    return webhook;
  }

  /** Merges the changes into the webhook. One that is enabled or gets a URL starts anew, without its earlier failures. */
  async update(workspaceId: string, id: string, changes: UpdateWebhookDto): Promise<void> {
    if (changes.url !== undefined) this.requireAllowed(changes.url);
    const isEnabled = changes.status === 'enabled';
    const health = { ...(isEnabled && { disabled_reason: null }), ...((isEnabled || changes.url) && HEALTHY) };
    await this.subscribe(workspaceId, async (manager) => {
      const values = { ...changes, ...health, updated_at: now };
      const { affected } = await manager.update(Webhook, { workspace_id: workspaceId, id }, values);
      if (!affected) throw new Problem('not_found');
    });
  }

  /**
   * Deletes a webhook. Its deliveries, which may be a million, go first and in batches, so that locks are held briefly; if
   * that is cut short, the next call deletes the rest.
   */
  async delete(workspaceId: string, id: string): Promise<void> {
    for (let batch = DELETION_BATCH; batch === DELETION_BATCH;) {
      batch = await this.turns.run(workspaceId, () =>
        this.transactions.run((manager) => deleteDeliveries(workspaceId, id, manager)),
      );
    }
    await this.subscribe(workspaceId, async (manager) => {
      const { affected } = await manager.delete(Webhook, { workspace_id: workspaceId, id });
      if (!affected) throw new Problem('not_found');
    });
  }

  /** Gives a webhook a new secret, which can't be read again. The one before signs, too, for so many seconds. */
  async rotateSecret(
    workspaceId: string,
    id: string,
    previousValidFor: number,
  ): Promise<{ id: string; secret: string }> {
    const secret = createSecret();
    const time = await readTime(this.webhooks.manager);
    const previous =
      previousValidFor > 0
        ? {
            previous_secret: () => 'secret',
            previous_secret_expires_at: new Date(time.getTime() + previousValidFor * 1000),
          }
        : { previous_secret: null, previous_secret_expires_at: null };
    const { affected } = await this.webhooks.update(
      { workspace_id: workspaceId, id },
      { secret, ...previous, updated_at: now },
    );
    if (!affected) throw new Problem('not_found');
    return { id, secret };
  }

  private requireAllowed(url: string): void {
    const message = refusalOf(url, this.config.webhookAllowedNetworks);
    if (message !== undefined) throw Problem.invalid([{ pointer: '/url', message }]);
  }

  /**
   * Changes webhooks, one request of the workspace after another, so that their number is exact. `starts_are_events` says
   * afterwards whether any of them asks for each start; a disabled one counts, because what it misses can be recovered.
   */
  private subscribe<T>(
    workspaceId: string,
    change: (manager: EntityManager) => Promise<T>,
    idempotent?: IdempotentRequest,
  ): Promise<T> {
    const work = async (manager: EntityManager): Promise<T> => {
      await manager.findOneOrFail(Workspace, {
        select: { id: true },
        where: { id: workspaceId },
        lock: { mode: 'for_no_key_update' },
      });
      const changed = await change(manager);
      const starts_are_events = await manager.existsBy(Webhook, {
        workspace_id: workspaceId,
        event_types: ArrayContains(['session.started']),
      });
      await manager.update(
        Workspace,
        { id: workspaceId, starts_are_events: Not(starts_are_events) },
        { starts_are_events },
      );
      return changed;
    };
    return this.idempotency.run(workspaceId, idempotent, work);
  }
}
