import { In } from 'typeorm';
import { CURRENT_FLOWS } from '../flows/flow-queries';
import { pick } from '../platform/common/pick';
import { fieldsOf } from '../platform/api/fields/validation';
import { OWN_KEY_OF } from '../tenancy/own-key';
import { shownUrlOf } from '../events/webhooks/shown-url';
import { CreateWebhookDto } from '../events/webhooks/webhook.dto';
import { statement } from '../platform/database/transaction/statement';
import type { Reader } from '../tenancy/work/work';
import { Webhook } from '../events/webhooks/webhook.entity';
import { CreateAudienceDto } from '../flows/audiences/audience.dto';
import { Audience } from '../flows/audiences/audience.entity';
import { CreateFlowDto } from '../flows/dto/change-flow.dto';
import type { FlowsService } from '../flows/flows.service';
import { CreateOfferDto } from '../offers/dto/offer.dto';
import { Offer } from '../offers/offer.entity';
import { UpdateOwnWorkspaceDto, WorkspaceDto } from '../workspaces/dto/workspace.dto';
import { slugInDocuments } from '../workspaces/test-slugs';
import { Workspace } from '../workspaces/workspace.entity';
import { withKeys } from './names';
import type { ConfigDto } from './dto/configuration.dto';

/** Something of a workspace with what documents call it. */
export type Called<T> = T & { called: string };

type ReadFlow = Awaited<ReturnType<FlowsService['getAll']>>[number];

/** The state of a workspace, which a document is compared with, or made of. */
export interface WorkspaceState {
  audiences: Called<Audience>[];
  offers: Called<Offer>[];
  flows: Called<ReadFlow>[];
  webhooks: Called<Webhook>[];
  settings: WorkspaceDto;
}

/** What has one of these keys in a table, and if `all`, what is in use, too. */
export interface Wanted {
  keys: string[];
  all: boolean;
}

const FIELDS = {
  audience: fieldsWithout(CreateAudienceDto, ['key']),
  offer: fieldsWithout(CreateOfferDto, ['key']),
  flow: fieldsWithout(CreateFlowDto, ['key', 'slug', 'status', 'offer_ids', 'survey', 'definition']),
  webhook: fieldsWithout(CreateWebhookDto, ['key', 'write_key']),
  settings: fieldsOf(UpdateOwnWorkspaceDto),
};

function fieldsWithout(type: new () => object, others: string[]): string[] {
  return fieldsOf(type).filter((field) => !others.includes(field));
}

/** SQL for what is in use of a table. */
const USED: Record<keyof typeof OWN_KEY_OF, string> = {
  audiences: 'true',
  offers: `status <> 'archived'`,
  flows: `status <> 'archived'`,
  webhooks: `status = 'enabled'`,
};

/** The ids of rows by what documents call them. With `lock`, nobody else changes these until the transaction ends. */
export async function findCalled(
  table: keyof typeof OWN_KEY_OF,
  reader: Reader,
  { keys, all }: Wanted,
  lock = '',
): Promise<Map<string, string>> {
  const isUsed = USED[table];
  const find = statement(
    `SELECT id, ${OWN_KEY_OF[table]} AS called FROM ${table}
      WHERE workspace_id = :workspace AND (${OWN_KEY_OF[table]} = ANY (:keys) OR (:all AND ${isUsed})) ORDER BY id ${lock}`,
  );
  const rows = await reader.rows<{ id: string; called: string }>(find, { keys, all });
  return new Map(rows.map(({ id, called }) => [id, called]));
}

/** The document of a workspace. It is the same wherever the same things have the same keys. */
export function documentOf({ audiences, offers, flows, webhooks, settings }: WorkspaceState): ConfigDto {
  const keys = new Map([...offers, ...audiences].map(({ id, called }) => [id, called]));
  const keyOf = (id: string) => keys.get(id)!;
  const used = flows.filter(({ status }) => status !== 'archived');
  const named = new Set(used.flatMap(({ offer_ids }) => offer_ids));
  return {
    settings: some(settings, FIELDS.settings),
    audiences: inOrder(audiences).map((audience) => ({ key: audience.called, ...some(audience, FIELDS.audience) })),
    offers: inOrder(offers.filter(({ id, status }) => status === 'active' || named.has(id))).map((offer) => ({
      key: offer.called,
      ...(offer.status === 'archived' && { status: offer.status }),
      ...some(offer, FIELDS.offer),
    })),
    flows: inOrder(used).map((flow) => ({
      key: flow.called,
      slug: slugInDocuments(settings.id, flow.slug),
      status: flow.status,
      ...some(flow, FIELDS.flow),
      ...inKeys(pick(flow, flow.flow_mode === 'simple' ? ['offer_ids', 'survey'] : ['definition']), keyOf),
    })),
    webhooks: inOrder(webhooks.filter(({ status }) => status === 'enabled')).map((webhook) => ({
      key: webhook.called,
      ...some(webhook, FIELDS.webhook),
      url: shownUrlOf(webhook),
    })),
  } as ConfigDto;
}

/** Fields of a flow with keys in place of the ids that they name. */
export function inKeys(
  { offer_ids, definition, ...fields }: { offer_ids?: string[]; definition?: object },
  keyOf: (id: string) => string,
): object {
  return {
    ...(offer_ids && { offer_keys: offer_ids.map(keyOf) }),
    ...fields,
    ...(definition && { definition: withKeys(definition, keyOf) }),
  };
}

function some(thing: object, fields: string[]): object {
  return pick(thing, fields as never[]);
}

function inOrder<T extends { called: string }>(things: T[]): T[] {
  return things.toSorted((one, other) => (one.called < other.called ? -1 : 1));
}

/** The fields of settings and webhooks that the workspace chooses, without those that the service counts. */
export function choicesIn({ settings, webhooks }: Pick<WorkspaceState, 'settings' | 'webhooks'>): unknown {
  const fields = ['called', 'status', ...FIELDS.webhook];
  return [some(settings, FIELDS.settings), webhooks.map((webhook) => some(webhook, fields))];
}

/** Settings and webhooks, which are read without a lock, because starts of sessions would wait for it. */
export async function readSettings(
  reader: Reader,
  wanted: Wanted,
): Promise<Pick<WorkspaceState, 'settings' | 'webhooks'>> {
  const settings = WorkspaceDto.of(await reader.manager.findOneByOrFail(Workspace, { id: reader.workspaceId }));
  const called = await findCalled('webhooks', reader, wanted);
  const webhooks = await reader.find(Webhook, { id: In([...called.keys()]) }, { order: { id: 'ASC' } });
  return { settings, webhooks: webhooks.map((webhook) => ({ ...webhook, called: called.get(webhook.id)! })) };
}

/** Audiences, and whatever they are called. */
export async function readAudiences(reader: Reader, wanted: Wanted, lock?: string): Promise<Called<Audience>[]> {
  const called = await findCalled('audiences', reader, wanted, lock);
  const audiences = await reader.find(Audience, { id: In([...called.keys()]) }, { order: { id: 'ASC' } });
  return audiences.map((audience) => ({ ...audience, called: called.get(audience.id)! }));
}

const AUDIENCE_NAMES = statement(
  `SELECT id, ${OWN_KEY_OF.audiences} AS called FROM audiences WHERE workspace_id = :workspace AND id = ANY (:ids)`,
);

/** What documents call audiences. */
export function audienceNames(reader: Reader, ids: string[]): Promise<{ id: string; called: string }[]> {
  return ids.length > 0 ? reader.rows(AUDIENCE_NAMES, { ids }) : Promise.resolve([]);
}

const OFFERS = statement(
  `SELECT *, ${OWN_KEY_OF.offers} AS called FROM offers WHERE workspace_id = :workspace AND id = ANY (:offers)`,
);

/** Offers, and whatever they are called. */
export function readOffers(reader: Reader, ids: string[]): Promise<Called<Offer>[]> {
  return reader.rows(OFFERS, { offers: ids });
}

/** Graphs as text: stored, they are compressed, some a hundred times. */
const SIZE = statement(
  `SELECT count(*)::int + (SELECT count(*)::int FROM offers WHERE workspace_id = :workspace AND status = 'active')
    + (SELECT count(*)::int FROM audiences WHERE workspace_id = :workspace) AS things,
    COALESCE(sum(octet_length(definition::text)), 0)::float8 AS bytes
  FROM ${CURRENT_FLOWS}
  WHERE flow.workspace_id = :workspace AND flow.status <> 'archived'`,
);

/** How large a document of the workspace would be at least. */
export async function sizeOf(reader: Reader): Promise<{ things: number; bytes: number }> {
  return (await reader.row<{ things: number; bytes: number }>(SIZE))!;
}
