import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArrayContains, EntityManager, Not, Repository } from 'typeorm';
import { type IfMatch, requireMatch } from '../common/etag';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, PageQuery, readNewest } from '../common/pagination';
import { Problem } from '../common/problem';
import { requireRoom } from '../common/room';
import { Config } from '../config';
import { Idempotency } from '../database/idempotency.service';
import { isNamed, requireFreeKeys } from '../database/own-key';
import { now, readTime } from '../database/time';
import { Transactions } from '../database/transactions';
import { ManagementLimits } from '../database/management-limits.service';
import { refusalOf } from '../http/outbound';
import type { Actor } from '../workspaces/actor';
import type { Action } from '../workspaces/changes/actions';
import { ChangeLog, fieldsIn, type NewChange } from '../workspaces/changes/change-log.service';
import { Workspace } from '../workspaces/workspace.entity';
import { type CreateWebhookDto, type UpdateWebhookDto, WebhookDto } from './dto/webhook.dto';
import { createSecret } from './worker/signature';
import { MAX_WEBHOOKS, Webhook } from './webhook.entity';

/** The most deliveries that are deleted at a time. */
const DELETION_BATCH = 1000;

/** No failure is known. */
const HEALTHY = { failures: 0, failing_since: null, next_probe_at: null };

/** The webhooks of a workspace: where its events are sent to. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly transactions: Transactions,
    private readonly limits: ManagementLimits,
    private readonly changes: ChangeLog,
    private readonly idempotency: Idempotency,
    private readonly config: Config,
  ) {}

  /** A new webhook with its secret, which can't be read again. */
  async create(
    workspaceId: string,
    webhook: CreateWebhookDto,
    actor: Actor,
    idempotent?: IdempotentRequest,
  ): Promise<{ id: string; url: string; secret: string }> {
    const create = (manager: EntityManager) => this.createIn(workspaceId, webhook, actor, manager);
    return this.subscribe(workspaceId, create, idempotent);
  }

  /** Creates a webhook, within `subscribeIn`. */
  async createIn(
    workspaceId: string,
    { url, key, event_types = [], test_events = false, description = '' }: CreateWebhookDto,
    actor: Actor,
    manager: EntityManager,
  ): Promise<{ id: string; url: string; secret: string }> {
    this.requireAllowed(url);
    const created = { id: newId(), url, secret: createSecret() };
    const existing = await manager.countBy(Webhook, { workspace_id: workspaceId });
    requireRoom(existing, MAX_WEBHOOKS, 'webhook_limit_reached');
    await requireFreeKeys('webhooks', workspaceId, [key], manager);
    await manager.insert(Webhook, {
      workspace_id: workspaceId,
      ...created,
      key: key ?? null,
      event_types,
      test_events,
      description,
      status: 'enabled',
      disabled_reason: null,
      ...HEALTHY,
      created_at: now,
      updated_at: now,
    });
    await this.log(workspaceId, 'webhook.created', created, actor, manager);
    return created;
  }

  list(workspaceId: string, page: PageQuery): Promise<Page<Webhook>> {
    return readNewest(this.webhooks, { workspace_id: workspaceId }, page);
  }

  async get(workspaceId: string, id: string): Promise<Webhook> {
    const webhook = await this.webhooks.findOneBy({ workspace_id: workspaceId, id });
    if (!webhook) throw new Problem('not_found');
    return webhook;
  }

  /** Merges the changes into the webhook. One that is enabled or gets a URL starts anew, without its earlier failures. */
  async update(
    workspaceId: string,
    id: string,
    changes: UpdateWebhookDto,
    actor: Actor,
    ifMatch?: IfMatch,
  ): Promise<void> {
    await this.subscribe(workspaceId, (manager) =>
      this.updateIn(workspaceId, id, changes, { actor, manager, ifMatch }),
    );
  }

  /** Changes a webhook, within `subscribeIn`. */
  async updateIn(
    workspaceId: string,
    id: string,
    changes: UpdateWebhookDto,
    { actor, manager, ifMatch }: { actor: Actor; manager: EntityManager; ifMatch?: IfMatch },
  ): Promise<void> {
    if (changes.url !== undefined) this.requireAllowed(changes.url);
    const isEnabled = changes.status === 'enabled';
    const health = { ...(isEnabled && { disabled_reason: null }), ...((isEnabled || changes.url) && HEALTHY) };
    const webhook = await this.lock(workspaceId, id, manager, ifMatch);
    if (isNamed(webhook, changes.key)) await requireFreeKeys('webhooks', workspaceId, [changes.key], manager);
    const values = { ...changes, ...health, updated_at: now };
    await manager.update(Webhook, { workspace_id: workspaceId, id }, values);
    const details = { fields: fieldsIn(changes) };
    await this.log(workspaceId, 'webhook.changed', { ...webhook, ...changes }, actor, manager, details);
  }

  /**
   * Deletes a webhook. Its deliveries, which may be a million, go first and in batches, so that locks are held briefly; if
   * that is cut short, the next call deletes the rest.
   */
  async delete(workspaceId: string, id: string, actor: Actor, ifMatch?: IfMatch): Promise<void> {
    const deleteBatch = async (manager: EntityManager) => {
      const [, deleted] = await manager.query<[unknown, number]>(
        `DELETE FROM deliveries WHERE workspace_id = $1 AND recipient_id = $2 AND event_id = ANY (ARRAY(
          SELECT event_id FROM deliveries WHERE workspace_id = $1 AND recipient_id = $2 ORDER BY event_id LIMIT $3))`,
        [workspaceId, id, DELETION_BATCH],
      );
      return deleted;
    };
    if (ifMatch) requireMatch(ifMatch, WebhookDto.of(await this.get(workspaceId, id)));
    for (let batch = DELETION_BATCH; batch === DELETION_BATCH;) {
      batch = await this.limits.long.run(workspaceId, () => this.transactions.run(deleteBatch));
    }
    const end = async (manager: EntityManager) => {
      const webhook = await this.lock(workspaceId, id, manager);
      await manager.delete(Webhook, { workspace_id: workspaceId, id });
      await this.log(workspaceId, 'webhook.deleted', webhook, actor, manager);
      // Those that came meanwhile. No more come: whoever adds one locks the webhook.
      while ((await deleteBatch(manager)) === DELETION_BATCH);
    };
    await this.limits.long.run(workspaceId, () => this.subscribe(workspaceId, end));
  }

  /** Gives a webhook a new secret, which can't be read again. The one before signs, too, for as many seconds as are asked for. */
  async rotateSecret(
    workspaceId: string,
    id: string,
    previousValidFor: number,
    actor: Actor,
  ): Promise<{ id: string; secret: string }> {
    const secret = createSecret();
    await this.transactions.run(async (manager) => {
      const webhook = await this.lock(workspaceId, id, manager);
      const time = await readTime(manager);
      const previous =
        previousValidFor > 0
          ? {
              previous_secret: webhook.secret,
              previous_secret_expires_at: new Date(time.getTime() + previousValidFor * 1000),
            }
          : { previous_secret: null, previous_secret_expires_at: null };
      const values = { secret, ...previous, updated_at: now };
      await manager.update(Webhook, { workspace_id: workspaceId, id }, values);
      await this.log(workspaceId, 'webhook.secret_rotated', webhook, actor, manager);
    });
    return { id, secret };
  }

  /** Throws a 404 if there is no such webhook, and a 412 if it is not the one that is expected. */
  private async lock(workspaceId: string, id: string, manager: EntityManager, ifMatch?: IfMatch): Promise<Webhook> {
    const lock = { mode: 'for_no_key_update' } as const;
    const webhook = await manager.findOne(Webhook, { where: { workspace_id: workspaceId, id }, lock });
    if (!webhook) throw new Problem('not_found');
    if (ifMatch) requireMatch(ifMatch, WebhookDto.of(webhook));
    return webhook;
  }

  private async log(
    workspaceId: string,
    action: Action,
    { id, url }: Pick<Webhook, 'id' | 'url'>,
    actor: Actor,
    manager: EntityManager,
    details?: NewChange['details'],
  ): Promise<void> {
    // Of the URL only the host: the rest may be a secret of the receiver.
    const subject = { type: 'webhook' as const, id, name: new URL(url).host };
    await this.changes.append(workspaceId, { actor, action, subject, details }, manager);
  }

  /** Throws a 400 if nothing may be sent to a URL. */
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
    return this.idempotency.run(workspaceId, idempotent, (manager) => this.subscribeIn(workspaceId, change, manager));
  }

  /** Changes webhooks in a transaction of other work. Starts of sessions wait until it ends. */
  async subscribeIn<T>(
    workspaceId: string,
    change: (manager: EntityManager) => Promise<T>,
    manager: EntityManager,
  ): Promise<T> {
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
  }
}
