import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ArrayContains } from 'typeorm';
import { requireMatch } from '../../platform/api/etag';
import { newId } from '../../platform/api/ids';
import type { Page, PageQuery } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import { requireRoom } from '../../platform/api/room';
import { plain } from '../../platform/api/fields/plain';
import { pick } from '../../platform/common/pick';
import { Config } from '../../settings/config';
import { setsKey, requireFreeKeys } from '../../tenancy/own-key';
import { statement } from '../../platform/database/transaction/statement';
import { now, readTime } from '../../platform/database/time';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { refusalOf } from '../../platform/http/outbound';
import type { ConditionGroup } from '../../conditions/condition.dto';
import { faultsOfWhen } from '../../conditions/conditions';
import { changedIn, fieldsIn } from '../../tenancy/log/change-log';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { type Address, addressAfter, addressFaults } from './formats';
import { shownUrlOf } from './shown-url';
import { type CreateWebhookDto, type UpdateWebhookDto, WebhookDto } from './webhook.dto';
import { createSecret } from './signature';
import { MAX_WEBHOOKS, Webhook } from './webhook.entity';

/** The most deliveries that are deleted at a time. */
const DELETION_BATCH = 1000;

/** No failure is known. */
const HEALTHY = { failures: 0, failing_since: null, paused_since: null };

const DELETE_DELIVERIES = statement(
  `DELETE FROM deliveries WHERE workspace_id = :workspace AND recipient_id = :webhook AND event_id = ANY (ARRAY(
    SELECT event_id FROM deliveries WHERE workspace_id = :workspace AND recipient_id = :webhook
    ORDER BY event_id LIMIT ${DELETION_BATCH}))`,
);

/** A webhook with its secret, which can't be read again. */
interface CreatedWebhook {
  id: string;
  url: string;
  secret: string;
}

/** The webhooks of a workspace: where its events are sent to. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly workspaces: WorkspacesService,
    private readonly limits: ManagementLimits,
    private readonly config: Config,
  ) {}

  async create(
    tenant: Tenant,
    {
      format = 'standard',
      url,
      key,
      write_key,
      event_types = [],
      when: conditions = null,
      test_events = false,
      description = '',
    }: CreateWebhookDto,
  ): Promise<CreatedWebhook> {
    const when = soundWhen(conditions);
    return this.change(tenant, async (work) => {
      this.requireAllowed({ format, url, write_key: write_key ?? null });
      const created = { id: newId(), url, secret: createSecret() };
      requireRoom(await work.count(Webhook), MAX_WEBHOOKS, 'webhook_limit_reached');
      await requireFreeKeys(work, 'webhooks', [key]);
      work.insert(Webhook, {
        ...created,
        key: key ?? null,
        format,
        write_key: write_key ?? null,
        event_types,
        when,
        test_events,
        description,
        status: 'enabled',
        disabled_reason: null,
        ...HEALTHY,
        next_probe_at: null,
        created_at: now,
        updated_at: now,
      });
      work.log({ action: 'webhook.created', subject: subjectOf(created) });
      return { ...created, url: shownUrlOf({ format, url }) };
    });
  }

  list(tenant: Tenant, page: PageQuery): Promise<Page<Webhook>> {
    return this.units.reader(tenant).page(Webhook, {}, page);
  }

  get(tenant: Tenant, id: string): Promise<Webhook> {
    return this.units.reader(tenant).get(Webhook, id);
  }

  /**
   * Merges the changes into the webhook. One that is enabled or sent elsewhere starts anew, without its earlier
   * failures.
   */
  update(tenant: Tenant, id: string, changes: UpdateWebhookDto): Promise<void> {
    return this.units.run(tenant, async (work) => {
      const webhook = await work.lock(Webhook, id, (row) => WebhookDto.of(row));
      work.shows(async () => WebhookDto.of(await work.get(Webhook, id)));
      await this.change(work, () => this.write(work, webhook, changes));
    });
  }

  private async write(work: Work, webhook: Webhook, changes: UpdateWebhookDto): Promise<void> {
    const { id } = webhook;
    const address = addressAfter(webhook, changes);
    const isElsewhere = !isDeepStrictEqual(address, pick(webhook, ['format', 'url', 'write_key']));
    if (isElsewhere) this.requireAllowed(address);
    const isEnabled = changes.status === 'enabled';
    const health = { ...(isEnabled && { disabled_reason: null }), ...((isEnabled || isElsewhere) && HEALTHY) };
    const when = changes.when !== undefined && { when: soundWhen(changes.when) };
    const after = { ...changes, ...when, ...address, ...health };
    const changed = changedIn(webhook, after);
    if (changed.length === 0) return;
    if (setsKey(webhook, changes.key)) await requireFreeKeys(work, 'webhooks', [changes.key]);
    // One that is enabled is a change if it forgets failures by that.
    const isAnew = Object.keys(health).some((field) => changed.includes(field));
    await work.update(Webhook, id, { ...after, ...(isAnew && { next_probe_at: null }), updated_at: now });
    const details = {
      fields: fieldsIn(changes).filter((field) => changed.includes(field) || (field === 'status' && isAnew)),
    };
    work.log({ action: 'webhook.changed', subject: subjectOf({ ...webhook, ...address }), details });
  }

  /**
   * Deletes a webhook. Its deliveries, which may be a million, go first and in batches, so that locks are held briefly;
   * if that is cut short, the next call deletes the rest.
   */
  async delete(tenant: Tenant, id: string): Promise<void> {
    const inTurn = <T>(work: () => Promise<T>) => this.limits.long.run(tenant.workspaceId, work);
    const deleteBatch = (work: Work) => work.write(DELETE_DELIVERIES, { webhook: id });
    if (tenant.ifMatch) requireMatch(tenant.ifMatch, WebhookDto.of(await this.get(tenant, id)));
    while ((await inTurn(() => this.units.run(tenant, deleteBatch))) === DELETION_BATCH);
    const end = async (work: Work) => {
      // Its ETag was compared before the first batch.
      const webhook = await work.lock(Webhook, id);
      await this.change(work, async () => {
        await work.delete(Webhook, id);
        work.log({ action: 'webhook.deleted', subject: subjectOf(webhook) });
        // Those that came meanwhile. No more come: whoever adds one locks the webhook.
        while ((await deleteBatch(work)) === DELETION_BATCH);
      });
    };
    await inTurn(() => this.units.run(tenant, end));
  }

  /**
   * Gives a webhook a new secret, which can't be read again. The one before signs, too, for as many seconds as are
   * asked for.
   */
  rotateSecret(tenant: Tenant, id: string, previousValidFor: number): Promise<Pick<CreatedWebhook, 'id' | 'secret'>> {
    const secret = createSecret();
    return this.units.run(tenant, async (work) => {
      const webhook = await work.lock(Webhook, id);
      const time = await readTime(work.manager);
      const expiry = new Date(time.getTime() + previousValidFor * 1000);
      const isKept = previousValidFor > 0;
      await work.update(Webhook, id, {
        secret,
        previous_secret: isKept ? webhook.secret : null,
        previous_secret_expires_at: isKept ? expiry : null,
        updated_at: now,
      });
      work.log({ action: 'webhook.secret_rotated', subject: subjectOf(webhook) });
      return { id, secret };
    });
  }

  /** Throws a 400 if nothing may be sent to an address, or its format takes another. */
  private requireAllowed(address: Address): void {
    const message = refusalOf(address.url, this.config.webhookAllowedNetworks);
    const faults = [...(message === undefined ? [] : [{ pointer: '/url', message }]), ...addressFaults(address)];
    if (faults.length > 0) throw Problem.invalid(faults);
  }

  /**
   * Changes webhooks, one request of the workspace after another, so that their number is exact; starts of sessions
   * wait until it ends. `starts_are_events` says afterwards whether any of them asks for each start; a disabled one
   * counts, because what it misses can be recovered.
   *
   * A webhook that is changed is locked before: see `Work.lock`.
   */
  private change<T>(tenant: Tenant, steps: (work: Work) => Promise<T>): Promise<T> {
    return this.units.run(tenant, async (work) => {
      await this.workspaces.lock(work);
      const changed = await steps(work);
      const starts_are_events = (await work.count(Webhook, { event_types: ArrayContains(['session.started']) })) > 0;
      await this.workspaces.setStartsAreEvents(work, starts_are_events);
      return changed;
    });
  }
}

/** The host of the URL: the rest may be a secret of the receiver. */
function subjectOf({ id, url }: Pick<Webhook, 'id' | 'url'>) {
  return { type: 'webhook' as const, id, name: new URL(url).host };
}

/** The conditions as they are stored. Throws a 400 if they can't be meant. */
function soundWhen(sent: ConditionGroup | null): ConditionGroup | null {
  const when = plain(sent);
  const faults = when ? faultsOfWhen(when) : [];
  if (faults.length > 0) throw Problem.invalid(faults);
  return when;
}
