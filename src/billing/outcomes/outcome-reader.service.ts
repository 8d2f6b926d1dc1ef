import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { isStorable } from '../../platform/api/fields/text';
import { isId } from '../../platform/api/ids';
import { Problem } from '../../platform/api/problems/problem';
import { Config } from '../../settings/config';
import { FlowSession } from '../../sessions/flow-session.entity';
import { theServiceIn } from '../../tenancy/work/tenant';
import { type Connected, ConnectionsService } from '../connections/connections.service';
import { OutcomesService } from './outcomes.service';
import { BillingFailure, type Notice } from '../model/provider';
import { REGISTERED } from '../providers';

/** A saved session whose token named the subscription. */
export type SavedSession = Pick<
  FlowSession,
  'id' | 'customer_id' | 'billing_customer_id' | 'subscription_id' | 'updated_at'
>;

/** Reads subscriptions after a save: payments and cancellations since then become outcomes. */
@Injectable()
export class OutcomeReader {
  constructor(
    private readonly manager: EntityManager,
    private readonly connections: ConnectionsService,
    private readonly outcomes: OutcomesService,
    private readonly config: Config,
  ) {}

  /** A provider's webhook is only a signal to read the subscription again: it may come twice, or late. */
  async receive(workspaceId: string, provider: string, body: unknown, headers: IncomingHttpHeaders): Promise<void> {
    const connected = isId(workspaceId) ? await this.connections.connected(workspaceId) : 'none';
    const secret = typeof connected === 'object' && this.connections.webhookSecret(connected.connection);
    if (!secret || typeof connected !== 'object' || connected.connection.provider !== provider)
      throw new Problem('not_found');
    const { connection } = connected;
    const { subscription_id, version } = signedNotice(connection.provider, body, headers, secret);
    if (!isStorable(subscription_id ?? '') || !isStorable(version ?? '')) {
      throw Problem.invalid([
        { pointer: '', message: 'names a subscription or a version with a character that no text may have' },
      ]);
    }
    await this.connections.noteWebhook(workspaceId, connection, version);
    if (subscription_id === null) return;
    if (this.config.sendNothing) throw new Problem('sends_nothing');
    const session = await this.manager.findOne(FlowSession, {
      where: { workspace_id: workspaceId, subscription_id, status: 'saved', customer_verified: true },
      order: { updated_at: 'DESC', id: 'DESC' },
    });
    if (!session) return;
    const answer = await this.read(workspaceId, session, connected);
    // The provider sends it again later.
    if (answer !== 'read') throw new Problem('service_unavailable');
  }

  /** Says whether the provider could tell. `refused`: it takes the key for none of this, so it tells nothing else. */
  async read(
    workspaceId: string,
    session: SavedSession,
    { connection, provider }: Connected,
  ): Promise<'read' | 'refused' | BillingFailure> {
    const { customer_id, billing_customer_id: billing_id, subscription_id, updated_at } = session;
    try {
      const outcomes = await provider.outcomes(subscription_id!, { id: customer_id, billing_id }, updated_at);
      if (outcomes !== 'unknown')
        await this.outcomes.settle(theServiceIn(workspaceId), session, connection.provider, outcomes);
      return 'read';
    } catch (error) {
      if (!(error instanceof BillingFailure)) throw error;
      return error.kind === 'refused' || error.kind === 'forbidden' ? 'refused' : error;
    }
  }
}

function signedNotice(
  provider: keyof typeof REGISTERED,
  body: unknown,
  headers: IncomingHttpHeaders,
  secret: string,
): Notice {
  try {
    return REGISTERED[provider].kind.noticeIn(body as Buffer, headers, secret);
  } catch {
    throw Problem.invalid([{ pointer: '', message: 'is not signed with the secret of the webhook, or too long ago' }]);
  }
}
