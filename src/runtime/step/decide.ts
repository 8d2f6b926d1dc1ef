import { Problem } from '../../platform/api/problems/problem';
import { shownNodeOf } from '../../flows/graph/flow-definition';
import type { FlowContent } from '../../flows/versions/flow-version.entity';
import { isForPerson, shownFulfilmentOf } from '../../billing-jobs/shown-fulfilment';
import { type Context, nextStep, type Position, type Step, type TakenStep } from './next-step';
import { type SessionState, shownSession } from '../shown-session';
import type { LockedSession, Move } from './step-statements';

export type Results = (SessionState | Problem)[];

/** A session under lock with the steps that are to be decided. */
export interface PendingSteps {
  session: Position &
    Pick<LockedSession, 'session_id' | 'locale' | 'is_erased' | 'is_expired'> &
    Partial<Pick<LockedSession, 'job' | 'ends'>>;
  version: FlowContent;
  steps: Step[];
}

/**
 * Decides the steps of a session, one after another. Returns what each leads to, the position after them, and
 * those that are taken.
 *
 * @param earlier the steps of the session so far, oldest first; only needed if a step `mayBeRepeated` or has silent
 *   nodes ahead
 */
export function decide(
  { session, version, steps }: PendingSteps,
  earlier: TakenStep[],
  context: Context,
): { results: Results } & Pick<Move, 'position' | 'steps'> {
  const { session_id, locale, is_erased, is_expired, job } = session;
  const { definition, cancellation_url } = version;
  const taken: Move['steps'] = [];
  let position: Position = session;
  const stateAt = (at: Position): SessionState => ({
    session_id,
    status: at.status,
    position: at,
    version,
    locale,
    attributes: context.attributes,
    ends: session.ends ?? undefined,
    ...(job && at.status !== 'in_progress' && { fulfilment: shownFulfilmentOf(job), isForPerson: isForPerson(job) }),
  });
  const results = steps.map((step) => {
    const mayChange = position.status === 'in_progress' || step.action === 'cancel';
    if (is_expired && mayChange) return new Problem('session_expired', { cancellation_url });
    const before = [...earlier, ...taken];
    const result = nextStep(definition, position, before, step, { ...context, isErased: is_erased });
    if (result.kind === 'invalid') {
      return Problem.invalid([{ pointer: `/${result.field}`, message: result.message }]);
    }
    if (result.kind === 'conflict') {
      return new Problem('step_conflict', { session: shownSession(stateAt(position)), cancellation_url });
    }
    if (result.kind === 'taken') {
      position = result.position;
      taken.push({ ...result.step, node_type: shownNodeOf(definition, result.step.node_key).type });
    }
    const state = stateAt(result.position);
    if (result.step.action === 'refused') {
      return new Problem('offer_not_available', { session: shownSession(state), cancellation_url });
    }
    return state;
  });
  return { results, position, steps: taken };
}
