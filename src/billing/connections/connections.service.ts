import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type QueryDeepPartialEntity, Repository } from 'typeorm';
import { Problem } from '../../platform/api/problems/problem';
import { Config } from '../../settings/config';
import { now } from '../../platform/database/time';
import { changedIn, fieldsIn } from '../../tenancy/log/change-log';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { BillingConnection, DEFAULT_PROVIDER } from '../../billing-jobs/billing-connection.entity';
import { BillingConnectionDto, type SetConnectionDto } from '../dto/connection.dto';
import { HURRY } from '../jobs/fulfilment-statements';
import { Keyring } from './keyring';
import { BillingFailure, type Provider } from '../model/provider';
import type { Ending } from '../model/task';
import { REGISTERED } from '../providers';

const SUBJECT = { type: 'billing' as const, id: null, name: 'Billing connection' };

/** What a provider answers. Throws the Problem that says why it does not. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof BillingFailure)) throw error;
    if (error.kind === 'refused' || error.kind === 'forbidden') throw new Problem('billing_refused');
    throw new Problem('service_unavailable', {}, 'The billing system does not answer.');
  }
}

/** A connection that can be used. */
export interface Connected {
  connection: BillingConnection;
  provider: Provider;
}

/** The connections of workspaces to their billing systems: at most one of each. */
@Injectable()
export class ConnectionsService implements OnApplicationBootstrap {
  private readonly keyring: Keyring;

  constructor(
    @InjectRepository(BillingConnection) private readonly connections: Repository<BillingConnection>,
    private readonly units: UnitsOfWork,
    private readonly config: Config,
  ) {
    this.keyring = new Keyring(config.encryptionKeys);
  }

  /** One line says that connections can't be used, because the key that they were stored with is not set. */
  async onApplicationBootstrap(): Promise<void> {
    const connections = await this.connections.find({ select: { workspace_id: true, api_key: true } });
    const lost = connections.filter((connection) => !this.isReadable(connection)).length;
    if (lost > 0) {
      new Logger('Billing').warn(
        `ENCRYPTION_KEY is not the one that ${lost} of ${connections.length} billing connections were stored with: set it as ` +
          'PREVIOUS_ENCRYPTION_KEY, or have the owners set their keys again',
      );
    }
  }

  async get(workspaceId: string): Promise<BillingConnection & { is_readable: boolean }> {
    const connection = await this.connections.findOneBy({ workspace_id: workspaceId });
    if (!connection) throw new Problem('not_found');
    return { ...connection, is_readable: this.isReadable(connection) };
  }

  /** The connection with its provider; or that there is none, or that its key is lost. */
  async connected(workspaceId: string): Promise<Connected | 'none' | 'unreadable'> {
    const connection = await this.connections.findOneBy({ workspace_id: workspaceId });
    if (!connection) return 'none';
    const apiKey = this.keyring.decrypt(workspaceId, 'api_key', connection.api_key);
    return apiKey === undefined ? 'unreadable' : { connection, provider: this.provider(connection, apiKey) };
  }

  /**
   * The connection with its provider, to ask it something while somebody waits. Throws the Problem that prevents it.
   *
   * @param missing that there is no connection
   */
  async toAsk(workspaceId: string, missing = new Problem('not_found')): Promise<Connected> {
    if (this.config.sendNothing) throw new Problem('sends_nothing');
    const connected = await this.connected(workspaceId);
    if (connected === 'none') throw missing;
    if (connected === 'unreadable') throw new Problem('billing_refused');
    return connected;
  }

  /** The secret of the provider's webhook; undefined if there is none, or its key is lost. */
  webhookSecret({ workspace_id, webhook_secret }: BillingConnection): string | undefined {
    return webhook_secret ? this.keyring.decrypt(workspace_id, 'webhook_secret', webhook_secret) : undefined;
  }

  /**
   * Notes whether the provider takes the key that was tried, and what it may not do, unless there is another one
   * meanwhile.
   *
   * @param wasWaiting whether it was tried before. Success at the first attempt does not clear an earlier refusal.
   */
  async note(
    workspaceId: string,
    { api_key, key_refused_at, missing_permissions }: BillingConnection,
    ending: Ending,
    wasWaiting: boolean,
  ): Promise<void> {
    const isRefused = ending.state === 'pending' && Boolean(ending.isRefused);
    const isAccepted = ending.state !== 'pending' && wasWaiting;
    const missing = 'missing' in ending ? ending.missing : undefined;
    const news = {
      ...((key_refused_at === null ? isRefused : isAccepted) && { key_refused_at: isRefused ? now : null }),
      ...(missing &&
        !missing_permissions.includes(missing) && { missing_permissions: [...missing_permissions, missing] }),
    };
    if (Object.keys(news).length > 0) await this.connections.update({ workspace_id: workspaceId, api_key }, news);
  }

  /** Notes the version that the provider's webhook speaks; null if it is the one of this service. */
  async noteWebhook(
    workspaceId: string,
    { webhook_version }: BillingConnection,
    version: string | null,
  ): Promise<void> {
    if (version === webhook_version) return;
    await this.connections.update({ workspace_id: workspaceId }, { webhook_version: version });
  }

  /** Sets the fields that are given. A new key is tried first. */
  async set(tenant: Tenant, changes: SetConnectionDto): Promise<BillingConnection & { is_readable: boolean }> {
    const { workspaceId } = tenant;
    const { api_key, webhook_secret, ...plain } = changes;
    const { kind } = REGISTERED[plain.provider ?? DEFAULT_PROVIDER];
    const faults = kind.faultsOfFields(changes);
    if (faults.length > 0) throw Problem.invalid(faults);
    const secrets = {
      ...(await this.tried(workspaceId, changes)),
      ...(api_key !== undefined && {
        api_key: this.encrypt(workspaceId, 'api_key', api_key),
        last_four: api_key.slice(-4),
        is_live: kind.isLive(api_key),
      }),
      ...(webhook_secret !== undefined && {
        webhook_secret: webhook_secret === null ? null : this.encrypt(workspaceId, 'webhook_secret', webhook_secret),
        webhook_version: null,
      }),
    };
    await this.units.run(tenant, async (work) => {
      const connection = await this.lock(work);
      const isNew = connection === null;
      if (isNew && api_key === undefined) {
        throw Problem.invalid([{ pointer: '/api_key', message: 'must be given: there is no connection yet' }]);
      }
      if (connection && Object.keys(secrets).length === 0 && changedIn(connection, plain).length === 0) return;
      const fields = { ...plain, ...secrets, updated_at: now };
      if (isNew) work.insert(BillingConnection, { ...DEFAULTS, ...fields });
      else await work.update(BillingConnection, {}, fields);
      if (api_key !== undefined || changes.account !== undefined) await work.write(HURRY);
      const action = isNew ? 'billing.connected' : 'billing.changed';
      const details = { fields: fieldsIn(changes), ...(plain.mode && { mode: plain.mode }) };
      work.log({ action, subject: SUBJECT, details });
    });
    return this.get(workspaceId);
  }

  delete(tenant: Tenant): Promise<void> {
    return this.units.run(tenant, async (work) => {
      await this.lock(work);
      if ((await work.delete(BillingConnection, {})) === 0) throw new Problem('not_found');
      work.log({ action: 'billing.disconnected', subject: SUBJECT });
    });
  }

  /** Throws a 412 if the connection is not the one that is expected. */
  private async lock(work: Work): Promise<BillingConnection | null> {
    const lock = { mode: 'for_no_key_update' } as const;
    const [connection = null] = await work.find(BillingConnection, {}, { lock });
    if (work.ifMatch && !connection) throw new Problem('changed_meanwhile');
    await work.requireMatch(() =>
      BillingConnectionDto.of({ ...connection!, is_readable: this.isReadable(connection!) }),
    );
    return connection;
  }

  private isReadable({ workspace_id, api_key }: Pick<BillingConnection, 'workspace_id' | 'api_key'>): boolean {
    return this.keyring.decrypt(workspace_id, 'api_key', api_key) !== undefined;
  }

  private encrypt(workspaceId: string, column: string, secret: string): Buffer {
    const encrypted = this.keyring.encrypt(workspaceId, column, secret);
    if (!encrypted) throw new Problem('encryption_key_missing');
    return encrypted;
  }

  /**
   * Tries another key, another account, or the key for what is new to it. Returns what the key may not do; nothing if
   * it was not tried.
   */
  private async tried(
    workspaceId: string,
    { provider = DEFAULT_PROVIDER, api_key, account, unpaid_on_cancel, proration }: SetConnectionDto,
  ): Promise<Partial<Pick<BillingConnection, 'missing_permissions' | 'key_refused_at'>>> {
    const stored = await this.connections.findOneBy({ workspace_id: workspaceId });
    const isVoiding = unpaid_on_cancel === 'void' && stored?.unpaid_on_cancel !== 'void';
    const isLater = proration === 'at_period_end' && stored?.proration !== 'at_period_end';
    if (api_key === undefined && account === undefined && !isVoiding && !isLater) return {};
    if (this.config.encryptionKeys.length === 0) throw new Problem('encryption_key_missing');
    if (this.config.sendNothing) throw new Problem('sends_nothing');
    const apiKey = api_key ?? (stored && this.keyring.decrypt(workspaceId, 'api_key', stored.api_key));
    // It is refused later, or can't be read.
    if (!apiKey) return {};
    const known = { provider, account: account === undefined ? (stored?.account ?? null) : account };
    const checked = await this.provider(known, apiKey).check();
    if ('refusal' in checked) throw new Problem('billing_refused', {}, checked.refusal);
    return { missing_permissions: checked.missing, key_refused_at: null };
  }

  private provider({ provider, account }: Pick<BillingConnection, 'provider' | 'account'>, apiKey: string): Provider {
    const { kind: Kind, url } = REGISTERED[provider];
    return new Kind({ apiKey, account, url: url(this.config) });
  }
}

const DEFAULTS: QueryDeepPartialEntity<BillingConnection> = {
  provider: DEFAULT_PROVIDER,
  mode: 'dry_run',
  proration: 'create_prorations',
  unpaid_on_cancel: 'leave',
  account: null,
  webhook_secret: null,
  webhook_version: null,
  key_refused_at: null,
  swept_until: null,
  next_sweep_at: now,
  created_at: now,
};
