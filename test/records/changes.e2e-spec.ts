import { ACTIONS } from '../../src/tenancy/log/actions';
import { Retention } from '../../src/privacy/retention.service';
import { API_KEY, StripeDouble } from '../billing/stripe-double';
import { billingAt, CONNECTION, Subscribers } from '../billing/subscriber';
import { Client } from '../support/client';
import { png } from '../support/pictures';
import { PASSWORD, Service, serviceForAll, tokenIn, workspaceForEach } from '../support/service';

const PUBLIC = '/api/v1/public';

interface Change {
  id: string;
  actor: { type: string; id: string | null; name: string };
  action: string;
  subject: { type: string; id: string | null; name: string };
  details: Record<string, unknown>;
}

describe('The log of changes', () => {
  let stripe: StripeDouble;
  const service = serviceForAll(async () => {
    stripe = await StripeDouble.start();
    return Service.start({ ...billingAt(stripe), BACKGROUND_JOBS: 'false', CHANGES_RETENTION_MONTHS: '1' });
  });
  afterAll(() => stripe.stop());
  const acme = workspaceForEach(service);

  const changes = async (query = '', client = acme.client): Promise<Change[]> =>
    (await client.get(`${PUBLIC}/changes${query}`)).body.changes;
  const actions = async (query?: string) => (await changes(query)).map(({ action }) => action);

  it('says who changed what, newest first', async () => {
    const editor = await service.person(acme, 'editor');
    const { id, name } = (await editor.post(`${PUBLIC}/offers`, { name: 'Half price', offer_type: 'custom' })).body;
    await editor.put(`${PUBLIC}/offers/${id}`, { heading: 'Stay for half' });
    const me = (await editor.get(`${PUBLIC}/me`)).body.actor;
    const subject = { type: 'offer', id, name };
    expect((await changes()).slice(0, 2)).toMatchObject([
      { action: 'offer.changed', actor: me, subject, details: { fields: ['heading'] } },
      { action: 'offer.created', actor: me, subject, details: {} },
    ]);
  });

  it('has everything that can be recorded, but what the service does by itself', async () => {
    const owner = await service.person(acme);
    await everything(owner);
    const recorded = new Set(await actions('?limit=500'));
    expect(ACTIONS.filter((action) => !recorded.has(action))).toEqual(['webhook.disabled']);
  });

  it('has no secret and nothing of a customer', async () => {
    const owner = await service.person(acme);
    const secrets = await everything(owner);
    const log = JSON.stringify(await changes('?limit=500'));
    expect(secrets.length).toBeGreaterThan(5);
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });

  it('names an invited address to an owner who is signed in, and to nobody else', async () => {
    const [owner, editor] = [await service.person(acme), await service.person(acme, 'editor')];
    const email = `invited-${acme.id}@acme.example`;
    await owner.post(`${PUBLIC}/invitations`, { email, role: 'viewer' });
    const invited = async (client: Client) => [
      (await changes('', client)).find(({ action }) => action === 'invitation.created')!.subject.name,
      (await client.get(`${PUBLIC}/changes.csv`)).body.includes(email),
    ];
    expect(await invited(owner)).toEqual([email, true]);
    for (const client of [editor, acme.client]) expect(await invited(client)).toEqual(['An invited person', false]);
  });

  it('is filtered by who, what and from when, page by page', async () => {
    const [ada, grace] = [await service.person(acme, 'editor'), await service.person(acme, 'editor')];
    const idOf = async (person: Client) => (await person.get(`${PUBLIC}/me`)).body.actor.id as string;
    const { id } = (await ada.post(`${PUBLIC}/offers`, { name: 'Half price', offer_type: 'custom' })).body;
    await grace.put(`${PUBLIC}/offers/${id}`, { heading: 'Stay' });
    expect(await actions(`?subject=${id}`)).toEqual(['offer.changed', 'offer.created']);
    expect(await actions(`?subject=${id}&actor=${await idOf(ada)}`)).toEqual(['offer.created']);
    expect(await actions('?from=2999-01-01')).toEqual([]);
    const first = (await acme.client.get(`${PUBLIC}/changes?subject=${id}&limit=1`)).body;
    const second = (await acme.client.get(`${PUBLIC}/changes?subject=${id}&limit=1&cursor=${first.next_cursor}`)).body;
    expect([first, second].map((page) => page.changes[0].action)).toEqual(['offer.changed', 'offer.created']);
  });

  it('comes as a file for spreadsheets', async () => {
    await acme.offer({ name: '=1+1' });
    const { body, headers } = await acme.client.get(`${PUBLIC}/changes.csv`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="changes.csv"');
    expect(body.split('\r\n')[1]).toMatch(/,api_key,[\w-]{36},First key,offer\.created,offer,[\w-]{36},'=1\+1,/);
  });

  it('has one row for each of 64 changes at once', async () => {
    const { id } = await acme.offer();
    const change = (n: number) => acme.client.put(`${PUBLIC}/offers/${id}`, { heading: `Heading ${n}` });
    const statuses = (await Promise.all(Array.from({ length: 64 }, (_, n) => change(n)))).map(({ status }) => status);
    const changed = statuses.filter((status) => status === 200).length;
    expect(await actions(`?subject=${id}&limit=500`)).toEqual([
      ...Array<string>(changed).fill('offer.changed'),
      'offer.created',
    ]);
    expect(changed).toBe(64);
  });

  it('has no row for a change that is refused', async () => {
    const { id } = await acme.offer();
    const before = await changes();
    await acme.client.put(`${PUBLIC}/offers/${id}`, { heading: 'Mine' }, { 'if-match': '"another"' });
    await acme.client.post(`${PUBLIC}/flows`, { name: '' });
    expect(await changes()).toEqual(before);
  });

  it('names the person on versions and drafts', async () => {
    const editor = await service.person(acme, 'editor');
    const { actor } = (await editor.get(`${PUBLIC}/me`)).body;
    const { id } = await acme.flow();
    expect((await editor.put(`${PUBLIC}/flows/${id}/draft`, { name: 'Next' })).body.updated_by).toEqual(actor);
    await editor.post(`${PUBLIC}/flows/${id}/draft/publish`, {});
    expect((await editor.get(`${PUBLIC}/flows/${id}/versions`)).body.versions[0].published_by).toEqual(actor);
  });

  it('is deleted when it is older than CHANGES_RETENTION_MONTHS, and not before', async () => {
    await service.database.query(
      `UPDATE changes SET id = overlay(id::text placing '0190' from 1 for 4)::uuid WHERE workspace_id = $1`,
      [acme.id],
    );
    const { id } = await acme.offer();
    await service.app.get(Retention).deleteMonths();
    expect((await changes()).map(({ subject }) => subject.id)).toEqual([id]);
  });

  /** Does all that is recorded. Returns what must not be in the log. */
  async function everything(owner: Client): Promise<string[]> {
    const post = async (path: string, body: object = {}) => (await owner.post(`${PUBLIC}/${path}`, body)).body;
    const file = { body: png(3, 3), headers: { 'content-type': 'image/png' } };
    const image = (await owner.send('POST', `${PUBLIC}/images`, file)).body;
    await owner.delete(`${PUBLIC}/images/${image.id}`);
    const when = { all: [{ fact: 'months', is: '>=', value: 12 }] };
    const audience = (await owner.post(`${PUBLIC}/audiences`, { name: 'Loyal', when })).body;
    await owner.put(`${PUBLIC}/audiences/${audience.id}`, { name: 'Loyal customers' });
    await owner.delete(`${PUBLIC}/audiences/${audience.id}`);
    const { id: offer } = await post('offers', { name: 'Half price', offer_type: 'custom' });
    const { id: flow, slug: flow_slug } = await post('flows', {
      name: 'Leaving Acme',
      product_name: 'Acme Pro',
      cancellation_url: 'https://acme.example/cancel',
      offer_ids: [offer],
    });
    await owner.put(`${PUBLIC}/flows/${flow}`, { status: 'published' });
    await owner.put(`${PUBLIC}/flows/${flow}`, { description: 'Ours' });
    const customer = { id: 'cus_secret', email: 'secret@customer.example' };
    await service.client.post('/api/v1/runtime/session/init', { flow_slug, customer });
    await owner.delete(`${PUBLIC}/customers/cus_secret`);
    await owner.put(`${PUBLIC}/flows/${flow}/draft`, { name: 'Next' });
    await owner.delete(`${PUBLIC}/flows/${flow}/draft`);
    await owner.delete(`${PUBLIC}/flows/${flow}`);
    await owner.put(`${PUBLIC}/offers/${offer}`, { heading: 'Stay' });
    await owner.delete(`${PUBLIC}/offers/${offer}`);
    const webhook = await post('webhooks', { url: 'https://acme.example/hooks/in-the-path' });
    await owner.put(`${PUBLIC}/webhooks/${webhook.id}`, { description: 'Ours' });
    const { secret } = await post(`webhooks/${webhook.id}/rotate-secret`);
    await owner.delete(`${PUBLIC}/webhooks/${webhook.id}`);
    const key = await post('api-keys', { name: 'Spare' });
    await service.client.with(key.key).send('POST', `${PUBLIC}/me/sign-in`);
    await owner.delete(`${PUBLIC}/api-keys/${key.id}`);
    const customerKey = await post('customer-keys', { name: 'Backend', algorithm: 'HS256' });
    await owner.delete(`${PUBLIC}/customer-keys/${customerKey.id}`);
    await owner.put(`${PUBLIC}/workspace`, { name: 'Acme, renamed' });
    const withdrawn = await post('invitations', { email: `withdrawn-${flow}@acme.example`, role: 'viewer' });
    await owner.delete(`${PUBLIC}/invitations/${withdrawn.id}`);
    const viewer = await service.person(acme, 'viewer');
    const { id } = (await viewer.get(`${PUBLIC}/me`)).body.actor;
    await owner.put(`${PUBLIC}/people/${id}`, { role: 'editor' });
    await viewer.put(`${PUBLIC}/me/password`, { current_password: PASSWORD, password: 'another good password' });
    const { link } = (await owner.send('POST', `${PUBLIC}/people/${id}/password-link`)).body;
    await owner.delete(`${PUBLIC}/people/${id}`);
    const subscriber = await billing(owner);
    const declared = await declaration(owner);
    const { secret: first } = webhook;
    const links = [withdrawn.link, link].map(tokenIn);
    const ofCustomers = [customer.id, customer.email, ...subscriber, ...declared];
    return [first, secret, key.key, customerKey.secret, API_KEY, ...links, ...ofCustomers, 'in-the-path', PASSWORD];
  }

  /** Does what is recorded of a connection to Stripe. Returns what is of its customer. */
  async function billing(owner: Client): Promise<string[]> {
    const subscribers = await Subscribers.of(service, acme);
    await owner.put(CONNECTION, { mode: 'dry_run' });
    const session = await subscribers.accepts('sub_of_customer', { offer_type: 'custom' });
    for (const action of ['retry', 'done']) {
      // As the worker leaves what a person has to do.
      await service.database.query(
        `UPDATE fulfilments SET state = 'manual', next_attempt_at = NULL WHERE workspace_id = $1`,
        [acme.id],
      );
      await owner.post(`${PUBLIC}/sessions/${session}/fulfilment`, { action });
    }
    await owner.put(CONNECTION, { mode: 'live' });
    await service.database.query(`UPDATE fulfilments SET state = 'dry_run' WHERE workspace_id = $1`, [acme.id]);
    await owner.post(`${PUBLIC}/fulfilments/carry-out`, { state: 'dry_run' });
    await owner.delete(CONNECTION);
    return ['sub_of_customer', 'cus_ada', session];
  }

  /** Declares on an exit page, says that it is done, and is not, and erases it. Returns what is of its customer. */
  async function declaration(owner: Client): Promise<string[]> {
    const { slug } = await acme.publishedFlow({ exit: { enabled: true } });
    const who = { name: 'Grace of the exit page', email: 'grace@customer.example', contract: 'Contract 4711' };
    await service.client.post(`/api/v1/runtime/exit/${slug}`, { kind: 'termination', ...who });
    const [{ id }] = (await owner.get(`${PUBLIC}/declarations`)).body.declarations;
    for (const done of [true, false]) await owner.put(`${PUBLIC}/declarations/${id}`, { done });
    await owner.delete(`${PUBLIC}/declarations/${id}`);
    return Object.values(who);
  }
});
