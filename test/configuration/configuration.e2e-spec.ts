import Ajv2020 from 'ajv/dist/2020';
import { serviceForAll, type Tenant, workspaceForEach } from '../support/service';

const CONFIG = '/api/v1/public/config';
const PLAN = { all: [{ attribute: 'plan', is: '=', value: 'pro' }] };
/** With what is of one environment. */
const WHOLE = `${CONFIG}?environment=true`;
const URL = 'https://acme.example/account/cancel';

const sure = { key: 'sure', type: 'confirm', config: { title: 'Sure?' } };
const offerNode = (offer_key: unknown) => ({ key: 'stay', type: 'offer', config: { offer_key }, next: 'sure' });
const begin = { key: 'begin', type: 'start', config: { title: 'Before you go' }, next: 'stay' };
const graph = (offer_key: unknown) => ({ entry: 'begin', nodes: [begin, offerNode(offer_key), sure] });

const halfPrice = {
  key: 'half-price',
  name: 'Half price',
  offer_type: 'discount_percentage',
  metadata: { coupon: 'a' },
};
const pause = {
  key: 'pause',
  name: 'Pause',
  offer_type: 'pause_subscription',
  limit: { accepted: 1, within_days: 30 },
};
const flow = (key: string, fields: object) => ({
  key,
  name: key,
  product_name: 'Pro',
  cancellation_url: URL,
  ...fields,
});

const start = ({ client }: Tenant, flow_slug: string) => client.post('/api/v1/runtime/session/init', { flow_slug });

function everything(slug: string) {
  return {
    settings: { primary_color: '#112233' },
    offers: [halfPrice, pause],
    flows: [
      flow('monthly', { slug: `${slug}-m`, status: 'published', offer_keys: ['pause', 'half-price'] }),
      flow('yearly', { slug: `${slug}-y`, flow_mode: 'advanced', definition: graph('half-price') }),
    ],
    webhooks: [{ key: 'billing', url: 'https://acme.example/hook', event_types: ['session.saved'] }],
  };
}

describe('The document of a workspace', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let count = 0;
  let slug: string;

  beforeEach(() => (slug = `own-${process.pid}-${count++}`));

  const apply = (document: unknown, query = '', headers?: Record<string, string>, to: Tenant = acme) =>
    to.client.put(CONFIG + query, document, headers);
  const read = async (of: Tenant = acme) => (await of.client.get(WHOLE)).body;
  const applied = async (document: unknown, query = '') => {
    const { status, body } = await apply(document, query);
    expect([status, body.errors ?? body.code]).toEqual([200, undefined]);
    return body;
  };

  it('makes what is new, says so, and changes nothing the second time', async () => {
    const { body } = await acme.client.put(`${CONFIG}?dry_run=true`, everything(slug));
    const plan = await applied(everything(slug));
    expect(body).toEqual(plan);
    expect(plan).toEqual({
      create: [
        { kind: 'offer', key: 'half-price' },
        { kind: 'offer', key: 'pause' },
        { kind: 'flow', key: 'monthly' },
        { kind: 'flow', key: 'yearly' },
        { kind: 'webhook', key: 'billing' },
      ],
      update: [
        {
          kind: 'settings',
          key: 'settings',
          fields: ['primary_color'],
          changes: [{ pointer: '/settings/primary_color', old: '#4f46e5', new: '#112233' }],
        },
      ],
      archive: [],
      unchanged: 0,
    });
    const document = await read();
    expect(document.flows.map((one: { slug: string; status: string }) => [one.slug, one.status])).toEqual([
      [`${slug}-m`, 'published'],
      [`${slug}-y`, 'draft'],
    ]);
    expect(document.flows[0].offer_keys).toEqual(['pause', 'half-price']);
    expect(document.flows[1].definition).toEqual(graph('half-price'));
    expect(JSON.stringify(document)).not.toMatch(/whsec_|"id"/);
    expect((await start(acme, document.flows[0].slug)).status).toBe(201);
    for (const again of [everything(slug), document]) {
      expect(await applied(again, '?prune=true')).toEqual({ create: [], update: [], archive: [], unchanged: 6 });
    }
  });

  describe('with audiences', () => {
    const loyal = (when: object = PLAN) => ({ key: 'loyal', name: 'Loyal', when });
    const branch = (audience_key: unknown) => ({
      entry: 'begin',
      nodes: [
        { ...begin, next: 'who' },
        {
          key: 'who',
          type: 'branch',
          config: { ways: [{ when: { all: [{ any: [{ audience_key }] }] }, next: 'sure' }] },
          next: 'no',
        },
        sure,
        { ...sure, key: 'no' },
      ],
    });
    const leaving = (audience_key: unknown) =>
      flow('leaving', {
        slug,
        status: 'published',
        flow_mode: 'advanced',
        definition: branch(audience_key),
      });
    const document = (when?: object) => ({ audiences: [loyal(when)], flows: [leaving('loyal')] });

    it('names them by their keys, and publishes flows with what the document says of them', async () => {
      expect((await applied(document())).create).toEqual([
        { kind: 'audience', key: 'loyal' },
        { kind: 'flow', key: 'leaving' },
      ]);
      const { audiences, flows } = await read();
      expect(audiences).toEqual([loyal()]);
      expect(flows[0].definition).toEqual(branch('loyal'));
      expect(await applied(document())).toMatchObject({ update: [], unchanged: 2 });
      const teams = { any: [{ fact: 'quantity', is: '>=', value: 5 }] };
      expect((await applied(document(teams))).update).toEqual([
        {
          kind: 'audience',
          key: 'loyal',
          fields: ['when'],
          changes: [
            { pointer: '/audiences/0/when/any', old: null, new: teams.any },
            { pointer: '/audiences/0/when/all', old: PLAN.all, new: null },
          ],
        },
        { kind: 'flow', key: 'leaving', fields: ['audiences'], changes: [] },
      ]);
      const [{ id }] = (await acme.client.get('/api/v1/public/flows')).body.flows;
      const shown = (await acme.client.get(`/api/v1/public/flows/${id}`)).body;
      expect(shown).toMatchObject({ current_version: 2, audiences_changed: false });
    });

    it('says of an audience that a graph names no more what it is called, though the document does not have it', async () => {
      await applied(document());
      const churned = { key: 'churned', name: 'Churned', when: PLAN };
      const plan = await applied({ audiences: [churned], flows: [leaving('churned')] }, '?dry_run=true');
      const place = '/flows/0/definition/nodes/1/config/ways';
      const ways = (audience_key: string) => [{ when: { all: [{ any: [{ audience_key }] }] }, next: 'sure' }];
      expect(plan.update[0].changes).toEqual([{ pointer: place, old: ways('loyal'), new: ways('churned') }]);
    });

    it('publishes what was a draft, or was changed by hand, with the audiences as they are', async () => {
      const draft = { ...document(), flows: [{ ...leaving('loyal'), status: 'draft' }] };
      await applied(draft);
      const [{ id }] = (await acme.client.get('/api/v1/public/flows')).body.flows;
      const [audience] = (await acme.client.get('/api/v1/public/audiences')).body.audiences;
      const change = (when: object) => acme.client.put(`/api/v1/public/audiences/${audience.id}`, { when });
      const changed = async () => (await acme.client.get(`/api/v1/public/flows/${id}`)).body.audiences_changed;
      await change({ any: [{ fact: 'quantity', is: '>=', value: 5 }] });
      expect(await changed()).toBe(true);
      await applied({ flows: [{ ...leaving('loyal'), status: 'published' }] });
      expect(await changed()).toBe(false);
      await change({ any: [{ fact: 'quantity', is: '>=', value: 9 }] });
      expect(await changed()).toBe(true);
      await applied(await read());
      expect(await changed()).toBe(false);
    });

    it('takes them to another workspace, and deletes with prune those that no flow names', async () => {
      await acme.client.post('/api/v1/public/audiences', { name: 'By hand', when: PLAN });
      await applied(document());
      const taken = await read();
      expect(taken.audiences).toHaveLength(2);
      const other = await service.workspace();
      const elsewhere = { ...taken, flows: taken.flows.map((one: object) => ({ ...one, slug: `${slug}-x` })) };
      expect((await apply(elsewhere, '', undefined, other)).status).toBe(200);
      expect((await read(other)).audiences).toEqual(taken.audiences);
      const { archive } = await applied(document(), '?prune=true');
      expect(archive).toEqual([{ kind: 'audience', key: expect.stringMatching(/^audience-/) }]);
      const kept = await apply({ audiences: [] }, '?prune=true');
      expect([kept.status, kept.body.code]).toEqual([409, 'in_use']);
    });

    it('refuses one that nobody knows, and one that asks for an answer that the graph does not have', async () => {
      const place = '/flows/0/definition/nodes/1/config/ways/0/when/all/0/any/0/audience_key';
      const unknown = await apply({ flows: [leaving('gone')] });
      expect(unknown.body.errors).toEqual([
        { pointer: place, message: 'is no audience of the document, and none of the workspace' },
      ]);
      const asking = await apply(document({ all: [{ answer: 'mood', is: 'exists' }] }));
      expect(asking.body.errors).toEqual([
        { pointer: place, message: 'asks for an answer that is not the key of a survey' },
      ]);
      expect((await read()).audiences).toEqual([]);
    });
  });

  it('gives each new flow what it says of it, whatever the others say', async () => {
    const flows = [
      flow('bare', { slug: `${slug}-a` }),
      flow('told', {
        slug: `${slug}-b`,
        status: 'published',
        description: 'For all',
        notification_email: 'a@acme.example',
      }),
      flow('valued', { slug: `${slug}-c`, estimated_monthly_value: 49.5, metadata: { team: 'growth' } }),
    ];
    await applied({ flows });
    const shown = (await acme.client.get('/api/v1/public/flows')).body.flows as { id: string; slug: string }[];
    const read = async (end: string) => {
      const { id } = shown.find((one) => one.slug === slug + end)!;
      return (await acme.client.get(`/api/v1/public/flows/${id}`)).body;
    };
    const nothing = { description: null, notification_email: null, estimated_monthly_value: null, metadata: {} };
    expect(await read('-a')).toMatchObject({ ...nothing, status: 'draft' });
    const told = { description: 'For all', notification_email: 'a@acme.example', status: 'published' };
    expect(await read('-b')).toMatchObject({ ...nothing, ...told });
    expect(await read('-c')).toMatchObject({ ...nothing, estimated_monthly_value: 49.5, metadata: { team: 'growth' } });
  });

  it('is taken from one workspace to another, with everything that was made by hand', async () => {
    const { id } = await acme.offer({ name: 'By hand' });
    await acme.flow({ name: 'By hand', offer_ids: [id] });
    await acme.client.post('/api/v1/public/webhooks', { url: 'https://acme.example/hook' });
    const document = await read();
    document.settings.name = 'Production';
    for (const one of document.flows) one.slug = `${slug}-p`;
    const production = await service.workspace();
    expect((await apply(document, '', {}, production)).status).toBe(200);
    expect(await read(production)).toEqual(document);
    // Staging goes on, and the next document changes what it changed, whatever its name is.
    await acme.client.put(`/api/v1/public/offers/${id}`, { name: 'Renamed' });
    const next = await read();
    next.settings = undefined;
    next.flows = undefined;
    expect((await apply(next, '', {}, production)).body).toMatchObject({
      create: [],
      update: [{ kind: 'offer', key: `offer-${id.slice(-12)}`, fields: ['name'] }],
    });
  });

  describe('without what is of one environment', () => {
    const exit = { enabled: true, kinds: ['withdrawal'], session_receipts: true };
    const team = { recipient_email: 'team@staging.example', confirmation_from: null };

    it('is what read answers unless told, and changes nothing else of another workspace', async () => {
      const { settings, flows, ...others } = everything(slug);
      const [monthly, ...more] = flows;
      const install = { button_leads_to: 'https://staging.example/leave' };
      const leaving = { ...monthly, install, notification_email: 'team@staging.example', exit: { ...exit, ...team } };
      const secret = { name: 'Staging', allowed_origins: ['https://staging.example'], ending_notice_days: null };
      await applied({ ...others, settings: { ...settings, ...secret }, flows: [leaving, ...more] });
      const shared = (await acme.client.get(CONFIG)).body;
      const brand = { font: null, radius: null, scheme: null };
      expect(shared.settings).toEqual({ primary_color: '#112233', logo_url: '', brand });
      expect(shared.flows[0].exit).toEqual(exit);
      expect(JSON.stringify(shared)).not.toMatch(/staging\.example|cancellation_url|webhooks/);

      const production = await service.workspace();
      const own = 'https://production.example/cancel';
      const taken = shared.flows.map((one: { slug: string }) => ({ ...one, slug: `${one.slug}-p` }));
      const refused = await apply({ ...shared, flows: taken }, '', {}, production);
      expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
        '/flows/0/cancellation_url',
        '/flows/1/cancellation_url',
      ]);
      const mine = taken.map((one: object) => ({
        ...one,
        cancellation_url: own,
        notification_email: 'a@production.example',
      }));
      const { status } = await apply({ ...shared, flows: mine }, '', {}, production);
      expect(status).toBe(200);
      const contact = { exit: { recipient_email: 'law@production.example' } };
      await apply({ flows: [{ ...taken[0], ...contact }] }, '', {}, production);
      const before = await read(production);
      expect(before.flows[0].exit).toEqual({ ...exit, ...contact.exit, confirmation_from: null });
      const again = await apply({ ...shared, flows: taken }, '?prune=true', {}, production);
      expect(again.body).toEqual({ create: [], update: [], archive: [], unchanged: 5 });
      const changed = { ...taken[0], exit: { ...exit, kinds: ['termination'] } };
      await apply({ ...shared, flows: [changed] }, '', {}, production);
      const after = await read(production);
      expect(after.flows[0]).toMatchObject({
        cancellation_url: own,
        notification_email: 'a@production.example',
        exit: { ...exit, ...contact.exit, kinds: ['termination'] },
      });
      expect([after.settings, after.webhooks]).toEqual([before.settings, []]);
      await apply({ flows: [{ ...taken[0], exit: null }] }, '', {}, production);
      expect((await read(production)).flows[0].exit).toBeNull();
      // A flow without the page says nothing of one.
      expect(shared.flows[1]).not.toHaveProperty('exit');
    });
  });

  it('is rehearsed by whoever may read, and by nobody else applied', async () => {
    const key = { name: 'Pull requests', access: 'read' };
    const reader = service.client.with((await acme.client.post('/api/v1/public/api-keys', key)).body.key);
    const rehearsed = await reader.put(`${CONFIG}?dry_run=true`, everything(slug));
    expect([rehearsed.status, rehearsed.body.create.length]).toEqual([200, 5]);
    const refused = await reader.put(CONFIG, everything(slug));
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    const viewer = await service.person(acme, 'editor');
    expect((await viewer.put(`${CONFIG}?dry_run=true`, everything(slug))).status).toBe(200);
    expect((await viewer.put(CONFIG, everything(slug))).body.code).toBe('insufficient_role');
    expect((await read()).offers).toEqual([]);
  });

  it('is rehearsed with pictures that will be uploaded before', async () => {
    const id = '5f0c7d0e-3c64-8c3b-9a55-2f7a1f0f9f5b';
    const offers = [{ ...halfPrice, image: { url: `/images/${id}`, alt: 'A map' } }];
    expect((await apply({ offers }, '?dry_run=true')).body.errors[0].pointer).toBe('/offers/0/image/url');
    expect((await applied({ offers }, `?dry_run=true&images=${id}`)).create).toHaveLength(1);
    expect((await acme.client.get('/api/v1/public/images')).body.images).toEqual([]);
    expect((await apply({ offers }, `?images=${id}`)).body.errors[0].parameter).toBe('images');
    expect((await apply({ offers }, '?dry_run=true&images=x')).body.errors[0].parameter).toBe('images');
  });

  it('says what differs, a node of a graph at a time, and of the address of a webhook its host alone', async () => {
    const slack = (path: string) => ({
      key: 'slack',
      format: 'slack',
      url: `https://hooks.slack.com/services/${path}`,
    });
    await applied({ ...everything(slug), webhooks: [slack('T1/B1/old')] });
    const { flows, offers } = await read();
    const stay = flows[1].definition.nodes[1];
    const config = { title: 'Why?', options: [{ value: 'price', label: 'Price' }] };
    const why = { key: 'who', type: 'survey', config, next: 'sure' };
    flows[1].definition.nodes = [{ ...begin, next: 'who' }, why, sure];
    flows[0].offer_keys = ['half-price'];
    const plan = await applied({ offers, flows, webhooks: [slack('T1/B1/new')] }, '?dry_run=true');
    const standard = { key: 'slack', format: 'standard', url: 'https://hooks.zapier.example/token-1' };
    const elsewhere = await applied({ webhooks: [standard] }, '?dry_run=true');
    expect(elsewhere.update[0].changes).toContainEqual({
      pointer: '/webhooks/0/url',
      old: 'https://hooks.slack.com',
      new: 'https://hooks.zapier.example',
    });
    expect(JSON.stringify([plan, elsewhere])).not.toMatch(/T1|token-1/);
    expect(plan.update[2]).toEqual({ kind: 'webhook', key: 'slack', fields: ['url'], changes: [] });
    expect(plan.update.flatMap(({ changes }: { changes: object[] }) => changes)).toEqual([
      { pointer: '/flows/0/offer_keys', old: ['pause', 'half-price'], new: ['half-price'] },
      { pointer: '/flows/1/definition/nodes', old: stay, new: null },
      { pointer: '/flows/1/definition/nodes/0/next', old: 'stay', new: 'who' },
      { pointer: '/flows/1/definition/nodes/1', old: null, new: why },
    ]);
  });

  it('rehearses without a trace', async () => {
    await applied(everything(slug), '?dry_run=true');
    expect(await read()).toMatchObject({ offers: [], flows: [], webhooks: [], settings: { primary_color: '#4f46e5' } });
    const { changes } = (await acme.client.get('/api/v1/public/changes')).body;
    expect(changes.map(({ action }: { action: string }) => action)).not.toContain('offer.created');
  });

  it('changes only the fields that differ, with the next version of a flow, and the log of changes knows', async () => {
    await applied(everything(slug));
    const document = await read();
    document.offers[0].heading = 'Stay for half';
    document.flows[1].status = 'published';
    document.flows[1].definition.nodes[2].config.title = 'Really?';
    document.webhooks[0].event_types = [];
    expect((await applied(document)).update).toEqual([
      {
        kind: 'offer',
        key: 'half-price',
        fields: ['heading'],
        changes: [{ pointer: '/offers/0/heading', old: 'Half price', new: 'Stay for half' }],
      },
      {
        kind: 'flow',
        key: 'yearly',
        fields: ['status', 'definition'],
        changes: [
          { pointer: '/flows/1/status', old: 'draft', new: 'published' },
          { pointer: '/flows/1/definition/nodes/2/config/title', old: 'Sure?', new: 'Really?' },
        ],
      },
      {
        kind: 'webhook',
        key: 'billing',
        fields: ['event_types'],
        changes: [{ pointer: '/webhooks/0/event_types', old: ['session.saved'], new: [] }],
      },
    ]);
    const { changes } = (await acme.client.get('/api/v1/public/changes?limit=3')).body;
    expect(changes.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'flow.published',
      'offer.changed',
      'webhook.changed',
    ]);
  });

  it('leaves the graph of a simple flow as it is if nothing that customers see changes', async () => {
    await applied(everything(slug));
    // As an earlier release composed it.
    const older = `UPDATE flow_versions SET definition = jsonb_set(definition, '{nodes,0,config,title}', '"Older"')
      WHERE workspace_id = $1 AND flow_mode = 'simple'`;
    await service.database.query(older, [acme.id]);
    const flows = [flow('monthly', { description: 'Of a month', offer_keys: ['pause', 'half-price'] })];
    expect((await applied({ flows })).update).toMatchObject([
      { kind: 'flow', key: 'monthly', fields: ['description'] },
    ]);
    const versions = "SELECT count(*)::int FROM flow_versions WHERE workspace_id = $1 AND flow_mode = 'simple'";
    expect(await service.database.query(versions, [acme.id])).toEqual([{ count: 1 }]);
  });

  it('archives and disables what it does not name only with prune, and brings it back', async () => {
    await applied(everything(slug));
    const document = await read();
    const less = { offers: [halfPrice], flows: [document.flows[1]], webhooks: [] };
    expect((await applied(less)).archive).toEqual([]);
    const { archive } = await applied(less, '?prune=true');
    expect(archive).toEqual([
      { kind: 'offer', key: 'pause' },
      { kind: 'flow', key: 'monthly' },
      { kind: 'webhook', key: 'billing' },
    ]);
    expect((await applied(less, '?prune=true')).archive).toEqual([]);
    expect((await applied({ settings: {} }, '?prune=true')).archive).toEqual([]);
    await applied(document);
    expect(await read()).toEqual(document);
  });

  it('points to each fault, and changes nothing', async () => {
    await applied(everything(slug));
    const before = await read();
    const [monthly, yearly] = everything(slug).flows;
    const faulty = {
      settings: { primary_color: 'red' },
      offers: [{ ...halfPrice, name: '', key: 'Half' }, pause, { ...pause }],
      flows: [{ ...monthly, offer_ids: [] }, 'flow'],
      others: [],
    };
    const pointers = async (document: unknown) => {
      const { status, body } = await apply(document);
      expect(status).toBe(400);
      return body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointers(faulty)).toEqual(['/others']);
    expect((await pointers({ ...faulty, others: undefined })).toSorted()).toEqual([
      '/flows/0/offer_ids',
      '/flows/1',
      '/offers/0/key',
      '/offers/0/name',
      '/offers/2/key',
      '/settings/primary_color',
    ]);
    const offers = [{ ...halfPrice, name: 'Changed' }];
    expect(
      await pointers({
        offers,
        flows: [
          { ...monthly, offer_keys: ['pause', 'gone'] },
          { ...yearly, definition: graph(7) },
        ],
      }),
    ).toEqual(['/flows/0/offer_keys/1', '/flows/1/definition/nodes/1/config/offer_key']);
    const looping = { entry: 'begin', nodes: [begin, { ...offerNode('pause'), next: 'stay' }, sure] };
    const faults = await pointers({ offers, flows: [{ ...yearly, slug: 'other', definition: looping }] });
    expect(faults).toContain('/flows/0/slug');
    expect(faults.join(' ')).toContain('/flows/0/definition/nodes');
    expect(await pointers({ offers: [{ ...halfPrice, key: 'new', name: 'For {{oops' }] })).toEqual(['/offers/0/name']);
    const webhooks = [{ key: 'inside', url: 'http://169.254.169.254/' }];
    expect(await pointers({ offers, webhooks })).toEqual(['/webhooks/0/url']);
    expect(await pointers({ offers: Array.from({ length: 10_001 }, () => halfPrice) })).toEqual(['']);
    expect(await pointers([])).toEqual(['']);
    expect(await read()).toEqual(before);
  });

  it('has a schema for editors, which knows what is exported, and refuses what the service refuses', async () => {
    await applied({ ...everything(slug), audiences: [{ key: 'pro', name: 'Pro', when: PLAN }] });
    const schema = await (await fetch(`${service.client.baseUrl}/config.schema.json`)).json();
    const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema as object);
    const document = await read();
    isValid(document);
    expect(isValid.errors).toBeNull();
    document.offers[0].image = { file: './map.png', alt: 'A map' };
    expect(isValid(document)).toBe(true);
    expect(isValid({ flows: [{ key: 'monthly', cancellation_url: URL }], webhooks: [{ key: 'billing' }] })).toBe(true);
    for (const faulty of [
      { flows: [{ cancellation_url: URL }] },
      { offers: [{ ...halfPrice, nmae: 'Half' }] },
      { offers: [{ ...halfPrice, image: { alt: 'A map' } }] },
      {
        flows: [flow('a', { definition: { entry: 'a', nodes: [{ ...offerNode('pause'), config: { offer_id: 1 } }] } })],
      },
      { flow: [] },
    ]) {
      expect([faulty, isValid(faulty)]).toEqual([faulty, false]);
    }
  });

  it('has flows of at most 256 KiB', async () => {
    const config = { title: 'Before you go', body: 'x'.repeat(4000) };
    const nodes = Array.from({ length: 70 }, (_, n) => ({ ...begin, key: `n${n}`, config }));
    const large = flow('large', { flow_mode: 'advanced', definition: { entry: 'n0', nodes } });
    const { status, body } = await apply({ flows: [flow('small', {}), large] });
    expect([status, body.errors]).toEqual([400, [{ pointer: '/flows/1', message: 'is larger than 256 KiB' }]]);
  });

  it('with more faults than are listed is a 400 as any other', async () => {
    const offers = Array.from({ length: 9000 }, (_, n) => ({ ...halfPrice, key: `Not ${n}` }));
    const { status, body } = await apply({ offers });
    expect([status, body.code, body.errors.length]).toEqual([400, 'invalid_request', 100]);
  });

  it('is refused whole if a slug is taken elsewhere, in a dry run, too', async () => {
    await applied(everything(slug));
    const other = await service.workspace();
    for (const query of ['?dry_run=true', '']) {
      expect((await apply(everything(slug), query, {}, other)).body).toMatchObject({
        status: 409,
        code: 'slug_taken',
        errors: [
          { pointer: '/flows/0/slug', message: `is taken: ${slug}-m` },
          { pointer: '/flows/1/slug', message: `is taken: ${slug}-y` },
        ],
      });
    }
    expect((await read(other)).offers).toEqual([]);
  });

  it('of 16 at once, each wins whole', async () => {
    const documents = Array.from({ length: 16 }, (_, n) => ({
      settings: { primary_color: `#0000${n + 10}` },
      offers: [
        { ...halfPrice, name: `Number ${n}` },
        { ...pause, name: `Number ${n}` },
      ],
      flows: [flow('monthly', { slug, status: 'published', name: `Number ${n}`, offer_keys: ['pause'] })],
    }));
    const answers = await Promise.all(documents.map((document) => apply(document)));
    const done = answers.filter(({ status }) => status === 200);
    expect(answers.every(({ status, headers }) => status === 200 || headers.has('retry-after'))).toBe(true);
    expect(done.filter(({ body }) => body.create.length > 0)).toHaveLength(1);
    const { offers, flows, settings } = await read();
    const names = new Set([...offers, ...flows].map(({ name }: { name: string }) => name));
    expect(names.size).toBe(1);
    expect([...names]).toEqual([`Number ${Number(settings.primary_color.slice(-2)) - 10}`]);
    const { id } = (await acme.client.get('/api/v1/public/flows')).body.flows[0];
    const { versions } = (await acme.client.get(`/api/v1/public/flows/${id}/versions`)).body;
    expect(versions).toHaveLength(done.length);
  });

  it('of 16 at once with the ETag of one reading, is applied once; the others are 412', async () => {
    await applied(everything(slug));
    const [{ headers }, whole] = [await acme.client.get(CONFIG), await acme.client.get(WHOLE)];
    expect(whole.headers.get('etag')).not.toBe(headers.get('etag'));
    const anything = { 'if-match': whole.headers.get('etag')! };
    expect((await apply({}, '', anything)).status).toBe(200);
    // Who has not read the values of the environment overwrites none.
    const shared = { 'if-match': headers.get('etag')! };
    for (const document of [
      { webhooks: [] },
      { flows: [{ key: 'monthly', name: 'M', product_name: 'Pro', exit: null }] },
      { settings: { name: 'Mine' } },
      { flows: [flow('monthly', {})] },
      { flows: [{ key: 'monthly', name: 'M', product_name: 'Pro', exit: { recipient_email: null } }] },
    ]) {
      expect([document, (await apply(document, '', shared)).status]).toEqual([document, 412]);
    }
    const match = { 'if-match': headers.get('etag')! };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => apply({ offers: [{ ...pause, name: `Number ${n}` }] }, '', match)),
    );
    // On a machine that is busy with something else, some get a 503 before it is their turn.
    const statuses = answers.map(({ status }) => status).filter((status) => status !== 503);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, ...Array(statuses.length - 1).fill(412)]);
  });

  it('may have a thousand things, while others are served', async () => {
    const offers = Array.from({ length: 1000 }, (_, n) => ({
      ...pause,
      key: `offer-number-${n}`,
      body: 'x'.repeat(500),
    }));
    const large = apply({ offers });
    expect((await acme.client.get('/api/v1/public/workspace')).status).toBe(200);
    const { status, body } = await large;
    expect([status, body.create.length]).toEqual([200, 1000]);
    expect((await apply({ offers })).body.unchanged).toBe(1000);
    expect((await apply({ offers: [{ ...pause, body: 'x'.repeat(9 * 1024 * 1024) }] })).status).toBe(413);
  });
});

describe('A key', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const PATHS: [string, object][] = [
    ['offers', { name: 'Half', offer_type: 'custom' }],
    ['flows', { name: 'Leaving', product_name: 'Pro', cancellation_url: URL }],
    ['webhooks', { url: 'https://acme.example/hook' }],
  ];

  it.each(PATHS)('of one of %s is set once, and nothing else of the workspace has it', async (kind, fields) => {
    const path = `/api/v1/public/${kind}`;
    const { id } = (await acme.client.post(path, fields)).body;
    expect((await acme.client.get(`${path}/${id}`)).body.key).toBeNull();
    const first = (await acme.client.post(path, { ...fields, key: 'first' })).body;
    expect((await acme.client.get(`${path}/${first.id}`)).body.key).toBe('first');
    expect((await acme.client.post(path, { ...fields, key: 'first' })).body.code).toBe('key_taken');
    expect((await acme.client.put(`${path}/${id}`, { key: 'first' })).body.code).toBe('key_taken');
    expect((await acme.client.put(`${path}/${id}`, { key: 'second' })).status).toBe(200);
    expect((await acme.client.put(`${path}/${id}`, { key: 'second' })).status).toBe(200);
    expect((await acme.client.put(`${path}/${id}`, { key: 'third' })).body.errors[0].pointer).toBe('/key');
    expect((await acme.client.post(path, { ...fields, key: '-no' })).body.errors[0].pointer).toBe('/key');
    const other = await service.workspace();
    expect((await other.client.post(path, { ...fields, key: 'first' })).status).toBe(201);
  });

  it('of a flow may be a slug of its own, which no other flow of the service has', async () => {
    const [, [path, fields]] = PATHS;
    const slug = `mine-${process.pid}`;
    const { id, slug: made } = (await acme.client.post(`/api/v1/public/${path}`, { ...fields, slug })).body;
    expect(made).toBe(slug);
    await acme.client.put(`/api/v1/public/flows/${id}`, { status: 'published' });
    expect((await start(acme, slug)).status).toBe(201);
    const other = await service.workspace();
    expect((await other.client.post(`/api/v1/public/${path}`, { ...fields, slug })).body.code).toBe('slug_taken');
    expect((await acme.client.post(`/api/v1/public/${path}`, { ...fields, key: slug })).body.code).toBe('key_taken');
  });
});
