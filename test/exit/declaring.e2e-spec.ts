import { createHash, randomUUID } from 'node:crypto';
import { Jobs } from '../../src/platform/database/queue/jobs.service';
import type { Delivery } from '../../src/events/deliveries/delivery.entity';
import { DeliveryQueue } from '../../src/events/deliveries/delivery-queue';
import { claimsFor, secretKey, tokenOf } from '../support/customer-token';
import { workerDatabaseUrl } from '../support/database';
import { MailServer } from '../support/mail-server';
import { Service, type Tenant } from '../support/service';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', contract: 'Customer 4711' };

/** The text of a page, as a text browser shows it. */
const textOf = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

describe('Declaring on the exit page', () => {
  let mailServer: MailServer;
  let service: Service;
  let acme: Tenant;
  let slug: string;
  /** An address of a customer that no other test has. */
  let email: string;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    service = await Service.start({
      SMTP_URL: mailServer.url,
      CONFIRMATION_DOMAINS: 'acme.example',
      MAIL_FROM: 'flows@acme.example',
      PUBLIC_URL: 'https://flows.acme.example',
      BACKGROUND_JOBS: 'true',
    });
  });
  afterAll(async () => {
    await service.stop();
    await mailServer.close();
  });
  beforeEach(async () => {
    acme = await service.workspace();
    email = `${randomUUID()}@example.com`;
    slug = await open({ kinds: ['termination', 'withdrawal'], recipient_email: `${randomUUID()}@acme.example` });
  });

  async function open(exit: object, fields: object = {}): Promise<string> {
    const flow = { name: 'Leaving', product_name: 'Acme <Pro>', cancellation_url: 'https://acme.example/cancel' };
    const body = { ...flow, ...fields, exit: { enabled: true, ...exit } };
    return (await acme.client.post('/api/v1/public/flows', body)).body.slug as string;
  }

  const declare = (body: object, query = '') => service.client.post(`/api/v1/runtime/exit/${slug}${query}`, body);
  const page = (query = '', headers = {}) => service.client.get(`/exit/${slug}${query}`, headers);
  const send = async (fields: Record<string, string>, query = '', headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.client.baseUrl}/exit/${slug}${query}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const declarations = async () => (await acme.client.get('/api/v1/public/declarations')).body.declarations as any[]; // oxlint-disable-line no-explicit-any

  it('works without a script: a form, one button, a receipt with a number', async () => {
    const form = await page('?lang=de');
    expect(form.status).toBe(200);
    expect(form.headers.get('set-cookie')).toBeNull();
    expect(form.body).not.toMatch(/<script|https?:\/\/(?!www\.w3)/);
    expect(form.body.match(/<button[^>]*>([^<]*)<\/button>/g)).toEqual([
      '<button type="submit">jetzt kündigen</button>',
    ]);
    expect(textOf(form.body)).toContain('Vertrag kündigen:  Acme <Pro>');

    const declared = await send(
      { ...ADA, email, termination: 'extraordinary', reason: 'Moved\naway', when: '' },
      '?lang=de',
    );
    expect(declared.status).toBe(303);
    const location = new URL(declared.headers.get('location')!, `${service.client.baseUrl}/exit/${slug}`);
    const receipt = await service.client.get(location.pathname + location.search);
    const [row] = await declarations();
    expect(textOf(receipt.body)).toContain(row.number);
    expect(row).toMatchObject({
      ...ADA,
      email,
      kind: 'termination',
      termination: 'extraordinary',
      reason: 'Moved\naway',
      when: null,
      due_at: null,
      language: 'de',
      flow_version: 1,
    });
    const { shown } = (await acme.client.get(`/api/v1/public/declarations/${row.id}`)).body;
    expect(shown).toContain('[jetzt kündigen]');
  });

  it('has the same words in the file, in the mail and on the page, and tells the team what is due', async () => {
    const { body } = await declare({ kind: 'withdrawal', ...ADA, email }, '?lang=en');
    const { pathname } = new URL(body.receipt_url);
    const text = (await service.client.get(`${pathname}.txt`)).body as string;
    const html = (await service.client.get(`${pathname}.html`)).body as string;
    expect(text).toContain(body.number);
    expect(text).toContain('Acme <Pro>');
    const [mail] = await mailServer.received(email, 1);
    const confirmation = /\n+(<p>)?Was it you\? .*(\n  https.*)?/;
    const without = (part: string) => part.replaceAll('\r\n', '\n').replace(confirmation, '').trim();
    expect(without(mail.text)).toBe(text.trim());
    expect(without(mail.html)).toBe(html.trim());
    expect(mail.headers.from).toEqual(['flows@acme.example']);
    const team = (await acme.client.get('/api/v1/public/flows')).body.flows[0].id as string;
    const { recipient_email } = (await acme.client.get(`/api/v1/public/flows/${team}`)).body.exit;
    const [told] = await mailServer.received(recipient_email, 1);
    expect(told.headers.subject[0]).toContain(body.number);
    expect(told.text).toMatch(/Pay back by \d{4}-\d\d-\d\d/);
    const [row] = await declarations();
    expect(Date.parse(row.due_at) - Date.parse(row.declared_at)).toBe(14 * 24 * 60 * 60_000);
    await until(
      async () => (await acme.client.get(`/api/v1/public/declarations/${row.id}`)).body.receipt,
      (status) => status === 'delivered',
    );
    const events = (await acme.client.get('/api/v1/public/events?type=cancellation.declared')).body.events;
    const event = (await acme.client.get(`/api/v1/public/events/${events[0].id}`)).body;
    expect(event.body.data.declaration).toEqual(row);
  });

  it('is confirmed by whoever reads the mails of the address, with a button, and counts without it, too', async () => {
    const { body } = await declare({ kind: 'termination', ...ADA, email }, '?lang=de');
    const [mail] = await mailServer.received(email, 1);
    const [, path] = /https:\/\/flows\.acme\.example(\/exit\/\S+)/.exec(mail.text)!;
    expect(mail.html).toContain(`<a href="https://flows.acme.example${path}">Das war ich</a>`);
    expect((await service.client.get(new URL(body.receipt_url).pathname)).body).not.toContain(path.split('.').at(-1));
    // Programs open the links of mails, too.
    const opened = await service.client.get(path);
    expect(opened.body).toContain('<form method="post"><button>Das war ich</button></form>');
    expect(await declarations()).toMatchObject([{ confirmed_at: null }]);
    const press = () => fetch(service.client.baseUrl + path, { method: 'POST' });
    expect(await (await press()).text()).toContain('Sie haben bestätigt, dass Sie es waren.');
    const [{ confirmed_at, done_at }] = await declarations();
    expect([confirmed_at, done_at]).toEqual([expect.any(String), null]);
    expect((await press()).status).toBe(200);
    expect((await declarations())[0].confirmed_at).toBe(confirmed_at);
    const [receipt] = path.split('.');
    for (const wrong of [receipt, `${receipt}.${randomUUID()}`, `${receipt}.null`, `${receipt}.`])
      expect((await service.client.get(wrong)).status).toBe(404);
    const [{ id }] = await declarations();
    await acme.client.delete(`/api/v1/public/declarations/${id}`);
    expect((await press()).status).toBe(404);
  });

  it('sends receipts from the address that the flow names, and at most 5 an hour to one address', async () => {
    slug = await open({ confirmation_from: 'contracts@acme.example' });
    for (let n = 0; n < 7; n++) await declare({ kind: 'termination', ...ADA, email, contract: `Contract ${n}` });
    const mails = await mailServer.received(email, 5);
    expect(mails[0].headers.from).toEqual(['contracts@acme.example']);
    const waiting = () =>
      service.database.query(
        `SELECT FROM deliveries WHERE workspace_id = $1 AND recipient_id = event_id AND status = 'pending' AND attempts = 0
          AND next_attempt_at > now() + interval '1 minute'`,
        [acme.id],
      );
    await until(waiting, (rows: unknown[]) => rows.length === 2);
    expect(mailServer.to(email)).toHaveLength(5);
    await service.letPass('2 hours', acme);
    await mailServer.received(email, 7);
  });

  it('sends receipts from no domain of others: a new one is refused, and one from before is passed over', async () => {
    const exit = { enabled: true, confirmation_from: 'ceo@other.example' };
    const { client } = acme;
    const { id } = await acme.flow();
    const change = await client.put(`/api/v1/public/flows/${id}`, { exit });
    expect([change.status, change.body.errors[0].pointer]).toEqual([400, '/exit/confirmation_from']);
    const flow = { name: 'Exit', product_name: 'Acme', cancellation_url: 'https://acme.example/', exit };
    const created = await client.post('/api/v1/public/flows', flow);
    expect([created.status, created.body.errors[0].pointer]).toEqual([400, '/exit/confirmation_from']);
    const document = await client.put('/api/v1/public/config', { flows: [{ key: 'exit', ...flow }] });
    expect([document.status, document.body.errors[0].pointer]).toEqual([400, '/flows/0/exit/confirmation_from']);

    slug = await open({});
    await service.database.query(
      `UPDATE flows SET exit = exit || '{"confirmation_from": "ceo@other.example"}' WHERE slug = $1`,
      [slug],
    );
    await declare({ kind: 'termination', ...ADA, email });
    const [{ headers }] = await mailServer.received(email, 1);
    expect(headers.from).toEqual(['flows@acme.example']);
  });

  it('sends no receipt to a customer who is erased at that moment, and keeps no address', async () => {
    const queue = service.app.get(DeliveryQueue);
    const claim = queue.claim.bind(queue);
    const claiming = jest.spyOn(queue, 'claim').mockImplementation(async (target, ...rest) => {
      const [{ id, erased_at }] = await declarations();
      const isReceipt = target.workspace_id === acme.id && target.address === email;
      if (isReceipt && erased_at === null) await acme.client.delete(`/api/v1/public/declarations/${id}`);
      return claim(target, ...rest);
    });
    try {
      await declare({ kind: 'termination', ...ADA, email });
      const receipt = async () => {
        const sql = 'SELECT * FROM deliveries WHERE workspace_id = $1 AND recipient_id = event_id';
        return (await service.database.query<Partial<Delivery>[]>(sql, [acme.id])).at(0);
      };
      await until(receipt, (delivery) => delivery?.attempts === 1);
      await service.letPass('2 minutes', acme);
      const failed = await until(receipt, (delivery) => delivery?.status === 'failed');
      expect([failed?.address, mailServer.to(email)]).toEqual([null, []]);
    } finally {
      claiming.mockRestore();
    }
  });

  it('is one declaration however often the same is sent, at once too', async () => {
    const same = { kind: 'termination', ...ADA, email };
    const answers = await Promise.all(Array.from({ length: 5 }, () => declare(same)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect((await declare({ ...same, contract: 'Another' })).body.number).not.toBe(answers[0].body.number);
    expect(await declarations()).toHaveLength(2);
    await service.letPass('25 hours', acme);
    expect((await declare(same)).body.number).not.toBe(answers[0].body.number);
  });

  it('keeps what was typed when something is missing, and says what', async () => {
    const { status, html } = await send({ name: '', email: 'nobody', contract: '<4711>', termination: 'ordinary' });
    expect(status).toBe(400);
    expect(html).toContain('value="&#60;4711&#62;"');
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(2);
    expect(textOf(html)).toContain('Nothing has been declared yet');
    const trapped = await send({ ...ADA, trap: 'https://spam.example' });
    expect([trapped.status, await declarations()]).toEqual([400, []]);
  });

  it.each([
    [{ kind: 'pause' }, '/kind'],
    [{ kind: 'withdrawal', when: '2027-01-31' }, '/when'],
    [{ kind: 'withdrawal', termination: 'ordinary' }, '/termination'],
    [{ name: ' ' }, '/name'],
    [{ email: 'nobody' }, '/email'],
    [{ contract: 'x'.repeat(501) }, '/contract'],
    [{ survey: 'why' }, '/survey'],
  ])('takes nothing else: %j', async (change, pointer) => {
    const { status, body } = await declare({ kind: 'termination', ...ADA, email, ...change });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    expect(await declarations()).toEqual([]);
  });

  it('declares nothing else than what the form said, when the flow offers that no more', async () => {
    const id = (await acme.client.get('/api/v1/public/flows')).body.flows[0].id as string;
    await acme.client.put(`/api/v1/public/flows/${id}`, { exit: { enabled: true, kinds: ['termination'] } });
    const { status, html } = await send({ ...ADA, email }, '?kind=withdrawal');
    expect([status, await declarations()]).toEqual([400, []]);
    expect(html).toContain('value="Ada Lovelace"');
  });

  it.each([{ name: 5 }, { email: {} }, [], 'text', null])(
    'answers a form that is none with the form: %j',
    async (body) => {
      const response = await fetch(`${service.client.baseUrl}/exit/${slug}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    },
  );

  it('takes only what the flow offers, and is open whatever its status and limit', async () => {
    await service.operator.put(`/api/v1/admin/workspaces/${acme.id}`, { session_limit: 0 });
    slug = await open({});
    const id = (await acme.client.get('/api/v1/public/flows')).body.flows[0].id as string;
    await acme.client.delete(`/api/v1/public/flows/${id}`);
    expect((await declare({ kind: 'withdrawal', ...ADA })).body.errors[0].pointer).toBe('/kind');
    expect((await declare({ kind: 'termination', ...ADA })).status).toBe(201);
    expect((await acme.usage()).sessions_used).toBe(0);
    await acme.client.put(`/api/v1/public/flows/${id}`, { exit: null });
    expect([(await declare({ kind: 'termination', ...ADA })).body.code, (await page()).status]).toEqual([
      'exit_not_found',
      404,
    ]);
  });

  it('speaks the language that is asked for, or that the browser prefers, or English', async () => {
    const langOf = async (query: string, accepted: string) =>
      /<html lang="([^"]+)"/.exec((await page(query, { 'accept-language': accepted })).body)![1];
    expect(await langOf('?lang=de', 'en')).toBe('de');
    expect(await langOf('', 'de-AT,en;q=0.5')).toBe('de');
    expect(await langOf('?lang=xx', 'tlh')).toBe('en');
  });

  it('runs from right to left in Hebrew, the receipt too', async () => {
    expect((await page('?lang=he')).body).toContain('<html lang="he" dir="rtl">');
    const { body } = await declare({ kind: 'termination', ...ADA, email }, '?lang=he');
    const { pathname } = new URL(body.receipt_url);
    for (const file of [pathname, `${pathname}.html`])
      expect((await service.client.get(file)).body).toContain('<html lang="he" dir="rtl"');
  });

  it('shows a receipt to nobody without its link, and to nobody once it is erased', async () => {
    const { body } = await declare({ kind: 'termination', ...ADA, email, reason: 'Ill' });
    const { pathname } = new URL(body.receipt_url);
    await mailServer.received(email, 1);
    const [{ id, number }] = await declarations();
    expect((await service.client.get(`/exit/${slug}/receipt/${id}`)).status).toBe(404);
    const other = await service.workspace();
    const foreign = (
      await other.client.post('/api/v1/public/flows', {
        name: 'Other',
        product_name: 'Other',
        cancellation_url: 'https://other.example/',
        exit: { enabled: true },
      })
    ).body.slug as string;
    expect((await service.client.get(pathname.replace(slug, foreign))).status).toBe(404);

    expect((await acme.client.delete(`/api/v1/public/declarations/${id}`)).body).toEqual({ erased: true, id });
    expect((await service.client.get(pathname)).status).toBe(404);
    const [kept] = await declarations();
    expect(kept).toMatchObject({ number, name: null, email: null, reason: null, contract: ADA.contract });
    const rows = await service.database.query('SELECT * FROM deliveries WHERE workspace_id = $1', [acme.id]);
    expect(JSON.stringify(rows)).not.toContain(email);
    const csv = (await acme.client.get('/api/v1/public/declarations.csv')).body as string;
    expect(csv).toContain(number);
    expect((await acme.client.get('/api/v1/public/changes')).body.changes[0].action).toBe('declaration.erased');
  });

  it('is open until an editor says that it is done, and can be opened again', async () => {
    await declare({ kind: 'termination', ...ADA, email });
    await declare({ kind: 'withdrawal', ...ADA, email });
    const [withdrawal, { id }] = await declarations();
    const numbersOf = async (query: string) => {
      const { body } = await acme.client.get(`/api/v1/public/declarations?${query}`);
      return body.declarations.map(({ number }: { number: string }) => number);
    };
    const path = `/api/v1/public/declarations/${id}`;
    const viewer = await service.person(acme, 'viewer');
    expect((await viewer.put(path, { done: true })).status).toBe(403);
    const { status, body } = await acme.client.put(path, { done: true });
    // The mail may be sent at this moment.
    const { receipt: _, ...kept } = (await acme.client.get(path)).body;
    expect([status, body]).toEqual([200, { ...kept, done_at: expect.any(String), receipt: expect.any(String) }]);
    expect((await acme.client.put(path, { done: true })).body.done_at).toBe(body.done_at);
    expect([await numbersOf('state=done'), await numbersOf('state=open')]).toEqual([
      [body.number],
      [withdrawal.number],
    ]);
    expect((await acme.client.put(path, { done: false })).body.done_at).toBeNull();
    expect(await numbersOf('state=done')).toEqual([]);
    const { changes } = (await acme.client.get('/api/v1/public/changes')).body;
    expect(changes.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
      'declaration.reopened',
      'declaration.done',
    ]);
    for (const wrong of [{}, { done: 'yes' }]) {
      const { status, body } = await acme.client.put(path, wrong);
      expect([status, body.errors[0].pointer]).toEqual([400, '/done']);
    }
  });

  it('is found by any part of its number, name, address or contract', async () => {
    await declare({ kind: 'termination', ...ADA, email, contract: 'Customer 4711_50 %' });
    await declare({ kind: 'termination', ...ADA, email: 'grace@example.com', name: 'Grace', contract: 'Customer 12' });
    const [grace, ada] = await declarations();
    const found = async (q: string) => {
      const { body } = await acme.client.get(`/api/v1/public/declarations?q=${encodeURIComponent(q)}`);
      return body.declarations.map(({ id }: { id: string }) => id);
    };
    expect(await found('LOVELACE')).toEqual([ada.id]);
    expect(await found(' grace@ ')).toEqual([grace.id]);
    expect(await found('4711_50 %')).toEqual([ada.id]);
    expect(await found(grace.number.slice(3).toLowerCase())).toEqual([grace.id]);
    expect(await found('customer')).toEqual([grace.id, ada.id]);
    expect(await found('%')).toEqual([ada.id]);
    expect(await found('nobody')).toEqual([]);
  });

  it('has a file without formulas', async () => {
    await declare({ kind: 'termination', ...ADA, email, contract: '=HYPERLINK("https://spam.example")' });
    const csv = (await acme.client.get('/api/v1/public/declarations.csv')).body as string;
    expect(csv).toContain(`'=HYPERLINK`);
  });

  it('gives a verified customer a receipt for a session that they cancel, if the flow asks for it', async () => {
    const key = await secretKey(acme.client);
    const flow = await acme.publishedFlow({ exit: { enabled: false, session_receipts: true } });
    const cancel = async (fields: object) => {
      const start = { flow_slug: flow.slug, ...fields };
      const { session_id } = (await service.client.post('/api/v1/runtime/session/init', start)).body;
      await service.client.post(`/api/v1/runtime/session/${session_id}/step`, { action: 'cancel' });
    };
    const stranger = `${randomUUID()}@example.com`;
    await cancel({ customer: { id: 'cus_2', email: stranger } });
    await cancel({ customer_token: tokenOf(key, {}, claimsFor(acme, { email })) });
    const [mail] = await mailServer.received(email, 1);
    expect(mail.text).toContain('We have received your cancellation request');
    expect(mail.text).toMatch(/https:\/\//);
    expect(mailServer.to(stranger)).toEqual([]);

    const german = `${randomUUID()}@example.com`;
    await cancel({ customer_token: tokenOf(key, {}, claimsFor(acme, { email: german })), locale: 'de-AT' });
    const [translated] = await mailServer.received(german, 1);
    expect(translated.text).toContain('Wir haben Ihren Kündigungswunsch erhalten');
    expect(translated.text).toMatch(/https:\/\//);
    expect(translated.html).toContain('<html lang="de" dir="ltr"');
  });

  it('deletes declarations after three years', async () => {
    await declare({ kind: 'termination', ...ADA, email });
    await service.letPass('37 months', acme);
    service.app.get(Jobs).runNow('Deleting old rows');
    await until(declarations, (rows) => rows.length === 0);
  });
});

describe('A flood of declarations', () => {
  it('meets a limit of its address: a proof of work on the interface, a wait on the page, and others get through', async () => {
    const service = await Service.start({ DECLARATIONS_PER_HOUR: '2', TRUST_PROXY: '127.0.0.1' });
    try {
      const acme = await service.workspace();
      const flow = { name: 'F', product_name: 'F', cancellation_url: 'https://acme.example/cancel' };
      const exit = { enabled: true, recipient_email: 'contracts@acme.example' };
      const { slug } = (await acme.client.post('/api/v1/public/flows', { ...flow, exit })).body;
      const from = (address: string, n: number, proof?: string) =>
        service.client.post(
          `/api/v1/runtime/exit/${slug}`,
          { kind: 'termination', ...ADA, contract: `${n}`, ...(proof && { proof }) },
          { 'x-forwarded-for': address },
        );
      for (let n = 0; n < 2; n++) expect((await from('192.0.2.1', n)).status).toBe(201);
      const { status, body } = await from('192.0.2.1', 2);
      expect([status, body.code]).toEqual([429, 'proof_required']);
      expect((await from('192.0.2.1', 2, 'no')).body.code).toBe('proof_required');
      let proof = 0;
      const isProof = () =>
        createHash('sha256').update(`${body.challenge}.${proof}`).digest().readUInt32BE() < 2 ** (32 - 20);
      while (!isProof()) proof++;
      expect((await from('192.0.2.1', 2, `${proof}`)).status).toBe(201);
      expect((await from('192.0.2.1', 3, `${proof}`)).status).toBe(429);
      // The same again is the same declaration, and counts for nothing.
      for (let n = 0; n < 2; n++) expect((await from('192.0.2.1', n)).status).toBe(201);

      const form = await fetch(`${service.client.baseUrl}/exit/${slug}`, {
        method: 'POST',
        body: new URLSearchParams({ ...ADA, contract: '4' }),
        headers: { 'x-forwarded-for': '192.0.2.1' },
      });
      const html = await form.text();
      expect(form.status).toBe(429);
      expect(html).toContain('value="Ada Lovelace"');
      expect(html).toContain('https://acme.example/cancel');
      expect(html).toContain('mailto:contracts@acme.example');
      for (let n = 10; n < 115; n++) await from('192.0.2.1', n);
      expect((await from('192.0.2.2', 5)).status).toBe(201);
    } finally {
      await service.stop();
    }
  });
});

describe('An exit page whose database is away', () => {
  it('says so, keeps what was typed, names other ways, and declares once the database is back', async () => {
    const proxy = await TcpProxy.start(workerDatabaseUrl());
    const service = await Service.start({ DATABASE_URL: proxy.url });
    try {
      const acme = await service.workspace();
      const flow = { name: 'F', product_name: 'F', cancellation_url: 'https://acme.example/cancel' };
      const exit = { enabled: true, recipient_email: 'contracts@acme.example' };
      const { slug } = (await acme.client.post('/api/v1/public/flows', { ...flow, exit })).body;
      expect((await service.client.get(`/exit/${slug}`)).status).toBe(200);
      const send = async () => {
        const body = new URLSearchParams(ADA);
        const response = await fetch(`${service.client.baseUrl}/exit/${slug}`, {
          method: 'POST',
          body,
          redirect: 'manual',
        });
        return { status: response.status, html: await response.text() };
      };
      proxy.close();
      const { status, html } = await send();
      expect(status).toBe(503);
      for (const part of [
        'Without a confirmation',
        'value="Ada Lovelace"',
        flow.cancellation_url,
        exit.recipient_email,
      ])
        expect(html).toContain(part);
      await proxy.open();
      await until(send, (again) => again.status === 303);
      expect((await acme.client.get('/api/v1/public/declarations')).body.declarations).toHaveLength(1);
    } finally {
      await service.stop();
      proxy.close();
    }
  });
});
