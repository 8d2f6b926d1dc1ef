import { In } from 'typeorm';
import { Audience } from '../../flows/audiences/audience.entity';
import { WhenField, type ConditionGroup } from '../../conditions/condition.dto';
import { conditionFaults, conditionsOf } from '../../conditions/conditions';
import { IdField, TextField } from '../../platform/api/fields/fields';
import { plain } from '../../platform/api/fields/plain';
import { checked } from '../../platform/api/fields/validation';
import { jsonPointer } from '../../platform/api/problems/json-pointer';
import { type FieldError, Problem } from '../../platform/api/problems/problem';
import { parseJsonBody } from '../../platform/http/bodies/json-body';
import type { Reader } from '../../tenancy/work/work';
import { filterOf, type SessionFilter } from './session-filter';

/** The conditions of the parameter `where`, checked as those of a branch are. */
class Where {
  @WhenField('Which sessions count.')
  when: ConditionGroup;
}

/** Which customers' sessions are wanted, as two parameters say it. */
export interface Segment {
  /** JSON. */
  where?: string;
  audience?: string;
}

const LONGEST = 8000;

/** The parameter `where`. */
export const WhereField = (which: string, more: string) =>
  TextField({
    description:
      `Only ${which} for which conditions hold: JSON like the \`when\` of a branch, URL-encoded. An attribute is what the session has, a ` +
      'fact what its record keeps, an answer one that was given in it, and an audience is as it is now. ' +
      more,
    max: LONGEST,
    example: '{"all":[{"attribute":"plan","is":"=","value":"pro"}]}',
    optional: true,
  });

/** The parameter `audience`. */
export const AudienceField = (which: string) =>
  IdField({
    description: `Only ${which} of customers in this audience, as it is now. With \`where\`, both have to hold.`,
    optional: true,
  });

/**
 * The filter that the parameters say; undefined if they say none. Throws a 400 that points into the JSON of `where`,
 * and a 404 if there is no such audience.
 *
 * @param session what the query calls a row of `flow_sessions`
 */
export async function readSegment(
  { where, audience }: Segment,
  reader: Reader,
  session?: string,
): Promise<SessionFilter | undefined> {
  if (where === undefined && audience === undefined) return undefined;
  const group = where === undefined ? undefined : conditionsIn(where);
  const named = group ? audiencesIn(group) : [];
  const ids = [...named.map(({ id }) => id), ...(audience === undefined ? [] : [audience])];
  const found = ids.length > 0 ? await reader.find(Audience, { id: In(ids) }) : [];
  const audiences = Object.fromEntries(found.map(({ id, when }) => [id, when]));
  if (audience !== undefined && !Object.hasOwn(audiences, audience)) throw new Problem('not_found');
  refuse(
    named
      .filter(({ id }) => !Object.hasOwn(audiences, id))
      .map(({ path }) => ({ pointer: jsonPointer(...path, 'audience'), message: 'is no audience of the workspace' })),
  );
  const all = [...(group ? [group] : []), ...(audience === undefined ? [] : [{ audience }])];
  return filterOf({ all }, audiences, session);
}

const audiencesIn = (group: ConditionGroup) =>
  conditionsOf(group).flatMap(({ condition, path }) =>
    'audience' in condition ? [{ id: condition.audience, path }] : [],
  );

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
