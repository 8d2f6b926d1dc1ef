import type { Workspace } from '@retention-flow/client';
import { placeName } from './jurisdictions';
import { counted } from '../ui/format';

/** The settings for a key that may not change them. */
export function WorkspaceFacts({ workspace }: { workspace: Workspace }) {
  const { name, allowed_origins, jurisdictions, image_hosts, require_customer_token, offer_limit, ending_notice_days } =
    workspace;
  return (
    <dl class="facts">
      <div>
        <dt>Name</dt>
        <dd>{name}</dd>
      </div>
      <div>
        <dt>Pages that may start sessions</dt>
        <dd>
          {allowed_origins.length === 0 ? (
            'Those of every origin'
          ) : (
            <ul>
              {allowed_origins.map((origin) => (
                <li key={origin}>{origin}</li>
              ))}
            </ul>
          )}
        </dd>
      </div>
      <div>
        <dt>Hosts of pictures</dt>
        <dd>{image_hosts.join(', ') || 'None besides this service'}</dd>
      </div>
      <div>
        <dt>Where customers live</dt>
        <dd>{jurisdictions.map(placeName).join(', ') || 'Not chosen'}</dd>
      </div>
      <div>
        <dt>Signed customers</dt>
        <dd>{require_customer_token ? 'Required' : 'Optional'}</dd>
      </div>
      <div>
        <dt>Offers per customer</dt>
        <dd>
          {offer_limit
            ? `${offer_limit.accepted} within ${counted(offer_limit.within_days, 'day')}`
            : 'As many as the offers allow'}
        </dd>
      </div>
      <div>
        <dt>Before an offer ends</dt>
        <dd>{ending_notice_days === null ? 'Nobody is told' : `Told ${counted(ending_notice_days, 'day')} before`}</dd>
      </div>
    </dl>
  );
}
