import { statement } from '../platform/database/transaction/statement';
import type { Reader } from '../tenancy/work/work';
import { SAVED } from './money/worth';
import type { CustomersDto, ValueNumbersDto } from './dto/counts.dto';
import { NO_CUSTOMERS, type SessionCount } from './session-counts';
import { ADDED, DECIDED, LAST_DECISION, OUTCOME } from './sums/facts';
import { passes, type Span, valuesOf } from './sums/span';

/** Sessions that have something in common, and their customers. */
export interface GroupCount extends SessionCount {
  customers: CustomersDto;
}

/** The sessions of a flow by the value of an attribute. */
export interface AttributeCounts {
  /** The most frequent values, the most frequent first. */
  values: (GroupCount & Pick<ValueNumbersDto, 'value'>)[];
  /** All other values together. */
  other?: GroupCount;
  /** The group of sessions without the attribute. */
  none?: GroupCount;
}

const ATTRIBUTES = 'attributes.';

/** The group of sessions without the attribute. All other names are JSON texts. */
const NONE = '';

/** SQL for the fields of `CustomersDto`, from columns of their names. */
const CUSTOMERS = Object.keys(NO_CUSTOMERS)
  .map((field) => `'${field}', customers.${field}`)
  .join(', ');

const numberOf = (condition: string) => `coalesce(sum(customers) FILTER (WHERE ${condition}), 0)::integer`;

/** SQL for those fields, from rows of customers with the same decision. */
const TOTALS = `sum(customers)::integer AS total, ${numberOf(SAVED)} AS saved,
    ${numberOf(`decided = 'accepted'`)} AS saved_by_offer, ${numberOf(`decided = 'canceled'`)} AS canceled,
    ${numberOf(`decided = 'in_progress'`)} AS in_progress, ${numberOf(`decided = 'abandoned'`)} AS abandoned`;

const countIf = (condition: string) => `(count(*) FILTER (WHERE ${condition}))::integer`;

/**
 * SQL for the sessions and the customers of each group. A customer of several groups counts in each. `:first` and
 * `:end` are ids of the sessions of the span, and statuses are those of `:now`. `:name` is that of the attribute.
 *
 * @param value in SQL, the JSON that sessions are grouped by, null if they have none
 * @param group in SQL, the name of the group, from this `value` as a text
 * @param isCounted in SQL, whether sessions with a `value` are counted
 * @param passing in SQL, whether they pass the filter of the span
 */
const groupsOf = (value: string, group: string, isCounted: string, passing: string) => `
  WITH session AS (
    SELECT coalesce((${value})::text, '${NONE}') AS value, coalesce(customer_id, erased_customer::text, id::text) AS person, id,
      ended_at, ${OUTCOME} AS outcome
    FROM flow_sessions WHERE workspace_id = :workspace AND flow_id = :flow AND id >= :first::uuid AND id < :end::uuid
      AND ${passing}
    -- As a table of unknown contents, which Postgres groups by hashing instead of sorting.
    OFFSET 0
  ), person AS (
    SELECT ${group} AS name, person, count(*)::integer AS sessions, ${countIf(`outcome = 'accepted'`)} AS accepted,
      ${countIf(`outcome = 'kept'`)} AS kept, ${countIf(`outcome = 'canceled'`)} AS canceled,
      ${countIf(`outcome = 'contacted'`)} AS contacted, ${countIf(`outcome = 'in_progress'`)} AS in_progress, ${LAST_DECISION}
    FROM session WHERE ${isCounted} GROUP BY 1, 2
  ), counted AS (
    SELECT name, coalesce(${DECIDED}, CASE WHEN in_progress > 0 THEN 'in_progress' ELSE 'abandoned' END) AS decided,
      count(*) AS customers, ${ADDED}
    FROM person GROUP BY 1, 2
  ), customers AS (
    SELECT name, ${TOTALS} FROM counted GROUP BY name
  )
  SELECT sessions.*, json_build_object(${CUSTOMERS}) AS customers
  FROM (SELECT name, ${ADDED} FROM counted GROUP BY name) AS sessions JOIN customers USING (name)`;

/**
 * The sessions and the customers of a flow by an attribute, or by their language. Values are compared as JSON texts: 1
 * and "1" are two, null is one. The sums of days don't have them, so all sessions are read. They are read again for
 * other values, if there are any: a customer who had several of them counts once.
 */
export async function countByAttribute(
  span: Span,
  by: string,
  maxValues: number,
  reader: Reader,
): Promise<AttributeCounts> {
  const { value, name } = groupedBy(by);
  const count = (sql: string, values: object) =>
    reader.rows<GroupCount & { name: string }>(statement(sql), {
      ...valuesOf(span),
      name,
      ...values,
    });
  const groups = await count(
    `${groupsOf(value, 'value', 'true', passes(span))} ORDER BY name <> '${NONE}', sessions DESC, name LIMIT :most`,
    // One more than are shown and none, to see whether there are others.
    { most: maxValues + 2 },
  );
  const none = groups.find(({ name }) => name === NONE);
  const named = groups.filter((group) => group !== none);
  const shown = named.slice(0, maxValues);
  const others = groupsOf(value, `'other'`, 'value <> ALL (:shown)', passes(span));
  const [other] =
    named.length > maxValues ? await count(others, { shown: [NONE, ...shown.map(({ name }) => name)] }) : [];
  return { values: shown.map((group) => ({ ...group, value: JSON.parse(group.name) })), other, none };
}

/** Resolves `by`: the language of a session, or an attribute by its name, with or without `attributes.` in front. */
function groupedBy(by: string): { value: string; name: string } {
  if (by === 'locale') return { value: `jsonb_build_object('locale', locale) -> :name`, name: by };
  return {
    value: `customer -> 'attributes' -> :name`,
    name: by.startsWith(ATTRIBUTES) ? by.slice(ATTRIBUTES.length) : by,
  };
}
