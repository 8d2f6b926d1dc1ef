import { In } from 'typeorm';
import { Audience } from '../../flows/audiences/audience.entity';
import { WhenField } from '../../flows/dto/silent-nodes.dto';
import { conditionFaults, conditionsOf } from '../../flows/graph/conditions';
import type { ConditionGroup } from '../../flows/graph/flow-definition';
import { plain } from '../../platform/api/fields/plain';
import { checked } from '../../platform/api/fields/validation';
import { jsonPointer } from '../../platform/api/problems/json-pointer';
import { type FieldError, Problem } from '../../platform/api/problems/problem';
import { IS_CUSTOMERS } from '../../sessions/session-source';
import { parseJsonBody } from '../../platform/http/bodies/json-body';
import type { Reader } from '../../tenancy/work/work';
import { EVERY_SESSION, filterOf, type SessionFilter } from './session-filter';

/** The conditions of the parameter `where`, checked as those of a branch are. */
class Where {
  @WhenField('Which sessions count.')
  when: ConditionGroup;
}

interface Asked {
  where?: string;
  /** Undefined: only sessions that customers began. */
  source?: 'all';
}

/** The filter that parameters say; undefined if they say none. Throws a 400 that points into the JSON of `where`. */
export async function readFilter({ where, source }: Asked, reader: Reader): Promise<SessionFilter | undefined> {
  const everySession = source === 'all' ? EVERY_SESSION : undefined;
  if (where === undefined) return everySession;
  const filter = await conditionsAsFilter(where, reader);
  return everySession ? filter : { ...filter, condition: `${filter.condition} AND ${IS_CUSTOMERS}` };
}

async function conditionsAsFilter(where: string, reader: Reader): Promise<SessionFilter> {
  const conditions = conditionsIn(where);
  const named = conditionsOf(conditions).flatMap(({ condition, path }) =>
    'audience' in condition ? [{ id: condition.audience, path }] : [],
  );
  const found = named.length > 0 ? await reader.find(Audience, { id: In(named.map(({ id }) => id)) }) : [];
  const audiences = Object.fromEntries(found.map(({ id, when }) => [id, when]));
  const unknown = named.filter(({ id }) => !Object.hasOwn(audiences, id));
  refuse(
    unknown.map(({ path }) => ({
      pointer: jsonPointer(...path, 'audience'),
      message: 'is no audience of the workspace',
    })),
  );
  return filterOf(conditions, audiences);
}

function conditionsIn(where: string): ConditionGroup {
  const { dto, faults } = checked(Where, { when: jsonIn(where) }, []);
  // What is wrong is in `where`, not in a field of it.
  refuse(faults.map(({ pointer, message }) => ({ pointer: pointer.replace('/when', ''), message })));
  const { when } = plain(dto);
  refuse(conditionFaults(when).map(({ path, message }) => ({ pointer: jsonPointer(...path), message })));
  return when;
}

function jsonIn(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text));
  } catch (error) {
    if (error instanceof Problem) refuse(error.fields);
    throw error;
  }
}

/** Throws a 400 if anything is wrong. The pointers lead into the JSON of the parameter. */
function refuse(faults: FieldError[]): void {
  if (faults.length === 0) return;
  throw Problem.invalid(
    faults.map(({ pointer, message }) => ({ pointer: `/where${pointer}`, message, parameter: 'where' })),
  );
}
