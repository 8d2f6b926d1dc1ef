import { Injectable } from '@nestjs/common';
import type { ConditionValue } from '../flows/graph/flow-definition';
import { statement } from '../platform/database/transaction/statement';
import type { Tenant } from '../tenancy/work/tenant';
import { UnitsOfWork } from '../tenancy/work/units-of-work.service';
import { MAX_NAMES, MAX_SEEN_VALUES, type SeenAttributeDto } from './dto/attributes.dto';

/** Sessions that are looked at, the newest. */
const SESSIONS = 1000;

/** Each name, with the values that more than one customer has. What only one has may be a name or an address. */
const SEEN = statement(`
  WITH newest AS MATERIALIZED (
    SELECT customer -> 'attributes' AS attributes, coalesce(customer_id, id::text) AS customer FROM flow_sessions
    WHERE workspace_id = :workspace ORDER BY id DESC LIMIT ${SESSIONS}
  ), counted AS (
    SELECT name, value, count(DISTINCT customer) AS customers,
      row_number() OVER (PARTITION BY name ORDER BY count(DISTINCT customer) DESC, value) AS place
    FROM newest CROSS JOIN jsonb_each(attributes) AS attribute (name, value)
    GROUP BY name, value
  )
  SELECT name, coalesce(jsonb_agg(value ORDER BY place) FILTER (WHERE customers > 1 AND place <= ${MAX_SEEN_VALUES}), '[]') AS values
  FROM counted GROUP BY name ORDER BY sum(customers) DESC, name LIMIT ${MAX_NAMES}`);

/** What is known of the customers of a workspace. */
@Injectable()
export class AttributesService {
  constructor(private readonly units: UnitsOfWork) {}

  list(tenant: Tenant): Promise<SeenAttributeDto[]> {
    return this.units.reader(tenant).rows<{ name: string; values: ConditionValue[] }>(SEEN);
  }
}
