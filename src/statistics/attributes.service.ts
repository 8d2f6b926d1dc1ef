import { Injectable } from '@nestjs/common';
import type { ConditionValue } from '../conditions/condition.dto';
import { statement } from '../platform/database/transaction/statement';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { MAX_NAMES, MAX_SEEN_VALUES, type SeenAttributesDto } from './dto/attributes.dto';

/** Sessions that are looked at, the newest. */
const SESSIONS = 1000;

/** Each name, with the values that more than one customer has. What only one has may be a name or an address. */
const SEEN = statement(`
  WITH newest AS MATERIALIZED (
    SELECT customer -> 'attributes' AS attributes, facts, coalesce(customer_id, id::text) AS customer FROM flow_sessions
    WHERE workspace_id = :workspace ORDER BY id DESC LIMIT ${SESSIONS}
  ), said AS (
    SELECT 'attribute' AS kind, customer, attribute.* FROM newest CROSS JOIN jsonb_each(attributes) AS attribute (name, value)
    UNION ALL SELECT 'fact', customer, fact.* FROM newest CROSS JOIN jsonb_each(facts) AS fact (name, value)
  ), counted AS (
    SELECT kind, name, value, count(DISTINCT customer) AS customers,
      row_number() OVER (PARTITION BY kind, name ORDER BY count(DISTINCT customer) DESC, value) AS place
    FROM said GROUP BY kind, name, value
  ), named AS (
    SELECT kind, name, sum(customers) AS customers,
      coalesce(jsonb_agg(value ORDER BY place) FILTER (WHERE customers > 1 AND place <= ${MAX_SEEN_VALUES}), '[]') AS values,
      row_number() OVER (PARTITION BY kind ORDER BY sum(customers) DESC, name) AS place
    FROM counted GROUP BY kind, name
  )
  SELECT kind, name, values FROM named WHERE place <= ${MAX_NAMES} ORDER BY place`);

interface Seen {
  kind: 'attribute' | 'fact';
  name: string;
  values: ConditionValue[];
}

/** What is known of the customers of a workspace. */
@Injectable()
export class AttributesService {
  constructor(private readonly units: UnitsOfWork) {}

  async list(tenant: Tenant): Promise<SeenAttributesDto> {
    const seen = await this.units.reader(tenant).rows<Seen>(SEEN);
    const of = (kind: Seen['kind']) =>
      seen.filter((one) => one.kind === kind).map(({ name, values }) => ({ name, values }));
    return { attributes: of('attribute'), facts: of('fact') as SeenAttributesDto['facts'] };
  }
}
