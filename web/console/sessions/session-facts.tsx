import type { SessionRecord } from '@retention-flow/client';
import { factLabel } from '../flows/fact-words';
import { languageName } from '../flows/languages/names';
import { href } from '../shell/route';
import { Time } from '../ui/time';
import { duration } from './duration';
import { ANONYMOUS, ended, savedBy } from './words';

/** Whose session it is, of which flow, when, and how it ended. */
export function SessionFacts({ session, flow }: { session: SessionRecord; flow: string }) {
  const { customer_id: customerId, customer, customer_verified: isVerified } = session;
  const attributes = Object.entries(customer?.attributes ?? {});
  return (
    <div class="columns">
      <section class="card">
        <h2>Customer</h2>
        <dl class="facts">
          <div>
            <dt>Customer id</dt>
            <dd>
              {customerId === null ? ANONYMOUS : <a href={href('/sessions', { search: customerId })}>{customerId}</a>}
            </dd>
          </div>
          {customerId !== null && (
            <div>
              <dt>Identity</dt>
              <dd>{isVerified ? 'Signed by your backend' : 'Not verified: the page said so'}</dd>
            </div>
          )}
          {customer?.email !== undefined && (
            <div>
              <dt>E-mail</dt>
              <dd>{customer.email}</dd>
            </div>
          )}
          {Object.entries(session.facts).map(([fact, value]) => (
            <div key={fact}>
              <dt>{factLabel(fact)}</dt>
              <dd>{typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)}</dd>
            </div>
          ))}
          {attributes.map(([name, value]) => (
            <div key={name}>
              <dt class="attribute">{name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section class="card">
        <h2>Session</h2>
        <dl class="facts">
          <div>
            <dt>Flow</dt>
            <dd>
              <a href={href(`/flows/${session.flow_id}`)}>{flow}</a>, version {session.flow_version}
            </dd>
          </div>
          {session.source === 'demo' && (
            <div>
              <dt>Started on</dt>
              <dd>The demo page, so it is in no number</dd>
            </div>
          )}
          <div>
            <dt>Language</dt>
            <dd>{languageName(session.locale)}</dd>
          </div>
          <div>
            <dt>Started</dt>
            <dd>
              <Time value={session.created_at} />
            </dd>
          </div>
          <div>
            <dt>{ended(session) ? 'Ended' : 'Last step'}</dt>
            <dd>
              <Time value={session.updated_at} />
              <div class="soft">{duration(session.created_at, session.updated_at)} after the start</div>
            </dd>
          </div>
          {savedBy(session) && (
            <div>
              <dt>Saved by</dt>
              <dd>{savedBy(session)}</dd>
            </div>
          )}
          <div>
            <dt>Session id</dt>
            <dd>
              <code>{session.id}</code>
            </dd>
          </div>
        </dl>
      </section>
    </div>
  );
}
