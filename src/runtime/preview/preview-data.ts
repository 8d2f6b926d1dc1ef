import type { FlowVersion } from '../../flows/versions/flow-version.entity';
import { answersOf } from '../answers';
import type { Preview, ToldPreview } from './preview.entity';

/** The data of an event of a preview that has begun or ended. */
export function toldOf(
  {
    flow_id,
    flow_version,
    locale,
    position: { status, accepted_offer },
    steps,
  }: Pick<Preview, 'flow_id' | 'flow_version' | 'locale' | 'position' | 'steps'>,
  { id, started_at }: NonNullable<Preview['test_session']>,
  version: FlowVersion,
): ToldPreview {
  const answered = steps.map(({ node_key, option = null, options = null }) => ({
    node_key,
    option,
    options,
    comment: null,
  }));
  return {
    previewed: status === 'in_progress' ? 'session.started' : `session.${status}`,
    session: { id, flow_id, flow_version, flow_name: version.name, locale, status, accepted_offer, started_at },
    answers: answersOf(answered, version, locale),
  };
}
