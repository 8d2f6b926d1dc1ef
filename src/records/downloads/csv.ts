import { NO_FULFILMENT } from '../../billing/dto/fulfilment.dto';
import { Readable } from 'node:stream';
import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { stringify } from 'csv-stringify/sync';
import { anyText } from '../../platform/api/fields/schemas';
import { INT4_MAX } from '../../settings/readers';
import { guarded } from './spreadsheet';
import { savedReasonOf } from '../../runtime/answers';
import type { Change } from '../../tenancy/log/change.entity';
import type { ExportedComment } from '../dto/comments.dto';
import type { ExportedSession } from '../dto/sessions.dto';

/** The columns of a file, by name: how a row fills each. */
export type Columns<Row> = Record<string, (row: Row) => string | number | boolean | Date | null | undefined>;

/** The byte order mark. Without it, Excel takes UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * A file for spreadsheets (RFC 4180), written as its rows are read, and not faster than it is taken. If a later page
 * can't be read, the connection breaks, so that half a file does not look whole.
 */
export async function csvFile<Row>(
  name: string,
  columns: Columns<Row>,
  pages: AsyncGenerator<Row[]>,
): Promise<StreamableFile> {
  // Read before the response begins: what can't be read has an ordinary error.
  let page = await pages.next();
  async function* lines() {
    yield BYTE_ORDER_MARK + csv([Object.keys(columns)]);
    for (; !page.done; page = await pages.next()) yield csv(page.value.map((row) => cellsOf(columns, row)));
  }
  return new StreamableFile(Readable.from(lines(), { objectMode: false }), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

/** The page of a file that is known before it is sent. */
export async function* pageOf<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

/** What all files have in common. */
export const CSV_FORMAT =
  'UTF-8 with a byte order mark, and a row of names first. Where a spreadsheet could see a formula in a text (`=`, `+`, `-` or `@` at its ' +
  'beginning, or after a semicolon, tab or line break, white space or not), an apostrophe is in front of it.';

/** The part of the description that files of records share. */
export const ABOUT_CSV =
  `${CSV_FORMAT} The response is sent as it is read: if it breaks ` +
  'off, it is not whole. Ask again. A workspace may have two downloads under way at a time (429), and there are at most ' +
  'ten in all (503).';

/** Documents a file, with a row as an example. */
export function ApiCsv<Row>(columns: Columns<Row>, example: Row) {
  const text = csv([Object.keys(columns), cellsOf(columns, example)]);
  return applyDecorators(
    ApiProduces('text/csv'),
    ApiOkResponse({ content: { 'text/csv': { schema: anyText(INT4_MAX), example: text } } }),
  );
}

function cellsOf<Row>(columns: Columns<Row>, row: Row): unknown[] {
  return Object.values(columns).map((cellOf) => cellOf(row));
}

function csv(rows: unknown[][]): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: {
      string: guarded,
      boolean: String,
      date: (date) => date.toISOString(),
    },
  });
}

/**
 * @param attributes those that have a column of their own. A file begins with its columns, before all of its sessions
 *   are
 *   known, so other attributes may come: they are in the last column.
 */
export function sessionColumns(attributes: string[]): Columns<ExportedSession> {
  const named = new Set(attributes);
  const columnOf = (name: string) => {
    return [`attributes.${name}`, ({ customer }: ExportedSession) => customer?.attributes?.[name]] as const;
  };
  return {
    id: ({ id }) => id,
    flow_id: ({ flow_id }) => flow_id,
    flow_name: ({ flow_name }) => flow_name,
    flow_version: ({ flow_version }) => flow_version,
    status: ({ status_now }) => status_now,
    reason: ({ status_now, accepted_offer }) => (status_now === 'saved' ? savedReasonOf(accepted_offer) : null),
    customer_id: ({ customer_id }) => customer_id,
    customer_verified: ({ customer_verified }) => customer_verified,
    email: ({ customer }) => customer?.email,
    subscription_id: ({ subscription_id }) => subscription_id,
    monthly_amount: ({ monthly_amount }) => monthly_amount,
    currency: ({ currency }) => currency,
    amount_verified: ({ amount_verified }) => amount_verified,
    estimated_monthly_value: ({ estimated_monthly_value }) => estimated_monthly_value,
    locale: ({ locale }) => locale,
    answers: ({ answers }) => answers.map(({ node_key, option }) => `${node_key}: ${option}`).join('; '),
    answer_labels: ({ answers }) => answers.map(({ label }) => label).join('; '),
    arms: ({ arms }) => arms.map(({ split, name }) => `${split}: ${name}`).join('; '),
    accepted_offer_id: ({ accepted_offer }) => accepted_offer?.id,
    accepted_offer_name: ({ accepted_offer }) => accepted_offer?.name,
    fulfilment: ({ fulfilment }) => fulfilment.state,
    created_at: ({ created_at }) => created_at,
    updated_at: ({ updated_at }) => updated_at,
    accepted_months: ({ accepted_offer }) => accepted_offer?.terms?.months,
    source: ({ source }) => source,
    result: ({ results }) => (Object.keys(results).length > 0 ? JSON.stringify(results) : null),
    ...Object.fromEntries(attributes.map(columnOf)),
    other_attributes: ({ customer }) => {
      const others = Object.entries(customer?.attributes ?? {}).filter(([name]) => !named.has(name));
      return others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : null;
    },
  };
}

export const COMMENT_COLUMNS: Columns<ExportedComment> = {
  flow_session_id: ({ flow_session_id }) => flow_session_id,
  flow_id: ({ flow_id }) => flow_id,
  flow_name: ({ flow_name }) => flow_name,
  flow_version: ({ flow_version }) => flow_version,
  status: ({ status_now }) => status_now,
  customer_id: ({ customer_id }) => customer_id,
  node_key: ({ node_key }) => node_key,
  option: ({ option }) => option,
  label: ({ label }) => label,
  comment: ({ comment }) => comment,
  created_at: ({ created_at }) => created_at,
  own_label: ({ own_label }) => own_label,
  labels: ({ labels }) => JSON.stringify(labels),
};

export const CHANGE_COLUMNS: Columns<Change> = {
  id: ({ id }) => id,
  at: ({ created_at }) => created_at,
  actor_type: ({ actor_type }) => actor_type,
  actor_id: ({ actor_id }) => actor_id,
  actor_name: ({ actor_name }) => actor_name,
  action: ({ action }) => action,
  subject_type: ({ subject_type }) => subject_type,
  subject_id: ({ subject_id }) => subject_id,
  subject_name: ({ subject_name }) => subject_name,
  details: ({ details }) => JSON.stringify(details),
};

const SESSION = {
  flow_id: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a',
  flow_name: 'Leaving Acme Pro',
  flow_version: 1,
  status_now: 'canceled',
  customer_id: 'cus_4711',
} as const;
const ANSWER = {
  node_key: 'reason',
  option: 'too_expensive',
  label: 'Too expensive',
  own_label: 'Too expensive',
  comment: 'Twice the price.',
};

export const EXAMPLE_SESSION: ExportedSession = {
  ...SESSION,
  id: '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f',
  customer_verified: true,
  customer: { email: 'ada@example.com', attributes: { plan: 'pro' } },
  subscription_id: 'sub_1Q2w3E',
  monthly_amount: 4990,
  currency: 'EUR',
  amount_verified: true,
  estimated_monthly_value: null,
  source: null,
  locale: 'en',
  answers: [ANSWER],
  results: { nps: { score: 9 } },
  arms: [{ split: 'price_test', name: 'pause' }],
  accepted_offer: null,
  fulfilment: NO_FULFILMENT,
  created_at: new Date('2026-11-21T09:30:00.000Z'),
  updated_at: new Date('2026-11-21T09:31:00.000Z'),
};

export const EXAMPLE_COMMENT: ExportedComment = {
  ...SESSION,
  ...ANSWER,
  flow_session_id: EXAMPLE_SESSION.id,
  position: 1,
  own_label: 'Too expensive',
  labels: ['Too expensive'],
  own_labels: ['Too expensive'],
  created_at: new Date('2026-11-21T09:31:00.000Z'),
};

export const EXAMPLE_CHANGE: Change = {
  workspace_id: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10',
  id: '019a9f3c-b1c2-7d3e-8f40-5162738495a6',
  actor_type: 'person',
  actor_id: '019a9f3c-6c20-7d11-8e3a-4b5c6d7e8f90',
  actor_name: 'Ada Lovelace',
  action: 'flow.published',
  subject_type: 'flow',
  subject_id: SESSION.flow_id,
  subject_name: SESSION.flow_name,
  details: { fields: ['name'], version: 4, note: 'The new name.' },
  created_at: new Date('2026-11-21T09:30:00.000Z'),
};
