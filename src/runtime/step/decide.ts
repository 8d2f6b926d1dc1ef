import { Problem } from '../../common/problem';
import { shownNodeOf } from '../../flows/flow-definition';
import type { FlowVersion } from '../../flows/flow-version.entity';
import type { ShownOffer } from '../../offers/offer-content';
import { type Circumstances, nextStep, type Standing, type Step, type TakenStep } from './next-step';
import { SessionDto, type SessionState } from './step.dto';
import type { LockedSession, Move } from './step-statements';

export type Outcomes = (SessionState | Problem)[];

/** A session under lock with the steps that are to be decided. */
export interface Walk {
  session: Standing<ShownOffer> & Pick<LockedSession, 'session_id' | 'is_erased'>;
  version: FlowVersion;
  steps: Step[];
}

/**
 * Decides the steps of a session, one after another. Returns what each leads to, where the session stands after them, and
 * those that are taken.
 *
 * @param earlier the steps of the session so far, oldest first; only needed if a step `mayBeRepeated` or has silent nodes ahead
 */
export function decide(
  { session, version, steps }: Walk,
  earlier: TakenStep<ShownOffer>[],
  circumstances: Circumstances<ShownOffer>,
): { outcomes: Outcomes } & Pick<Move, 'standing' | 'steps'> {
  const { session_id, is_erased } = session;
  const taken: Move['steps'] = [];
  let standing: Standing<ShownOffer> = session;
  const stateAt = (at: Standing<ShownOffer>): SessionState => ({
    session_id,
    status: at.status,
    standing: at,
    version,
  });
  const outcomes = steps.map((step) => {
    // An erased comment counts as equal to the one that is sent now.
    const before = [...earlier, ...taken].map((one) => (is_erased ? { ...one, comment: step.comment } : one));
    const result = nextStep(version.definition, standing, before, step, circumstances);
    switch (result.kind) {
      case 'invalid':
        return Problem.invalid([{ pointer: `/${result.field}`, message: result.message }]);
      case 'conflict':
        return new Problem('step_conflict', {
          session: SessionDto.of(stateAt(standing)),
          cancellation_url: version.cancellation_url,
        });
      case 'taken':
        standing = result.standing;
        taken.push({ ...result.step, node_type: shownNodeOf(version.definition, result.step.node_key).type });
    }
    return stateAt(result.standing);
  });
  return { outcomes, standing, steps: taken };
}
