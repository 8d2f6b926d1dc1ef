import { randomUUID } from 'node:crypto';
import { connected, untilBlocking, workerDatabaseUrl } from '../../support/database';
import { MailServer } from '../../support/mail-server';
import { Service, Tenant } from '../../support/service';
import { until } from '../../support/until';

const RUNTIME = '/api/v1/runtime/session';

describe('Mails about sessions that ended', () => {
  let mailServer: MailServer;
  let service: Service;
  let acme: Tenant;
  /** The address of the test's flow. No other test has it. */
  let address: string;

  const start = () => {
    return Service.start({
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Acme, Inc. <flows@acme.example>',
      BACKGROUND_JOBS: 'true',
    });
  };

  beforeAll(async () => {
    mailServer = await MailServer.start();
    service = await start();
  });
  afterAll(async () => {
    await service.stop();
    await mailServer.close();
  });
  beforeEach(async () => {
    acme = await service.workspace();
    address = `${randomUUID()}@acme.example`;
  });

  const flow = (fields: object = {}) => {
    return acme.publishedFlow({ name: 'Leaving Acme Pro', notification_email: address, ...fields });
  };

  /** Begins a session, takes its first step, and returns what takes further steps. */
  async function begin({ slug }: { slug: string }, customer?: object) {
    const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: slug, ...(customer && { customer }) });
    const step = (fields: object) => service.client.post(`${RUNTIME}/${body.session_id}/step`, fields);
    await step({ node_key: 'start', action: 'continue' });
    return { id: body.session_id as string, step };
  }

  async function cancel(slug: { slug: string }, option = 'too_expensive', comment?: string, customer?: object) {
    const { step } = await begin(slug, customer);
    await step({ node_key: 'reason', action: 'answer', option, ...(comment && { comment }) });
    await step({ action: 'cancel' });
  }

  const deliveries = (): Promise<{ status: string; attempts: number; last_error: string | null }[]> => {
    return service.database.query(
      'SELECT status, attempts, last_error FROM deliveries WHERE workspace_id = $1 ORDER BY event_id',
      [acme.id],
    );
  };

  /**
   * Resolves when the workspace has so many deliveries of each status. One in a summary that another one carries is
   * "collected".
   */
  async function untilStatuses(expected: Record<string, number>): Promise<void> {
    const all = Object.values(expected).reduce((a, b) => a + b);
    await until(deliveries, (rows) => {
      const nameOf = ({ status, attempts }: (typeof rows)[0]) =>
        status === 'delivered' && attempts === 0 ? 'collected' : status;
      const has = ([name, n]: [string, number]) => rows.filter((row) => nameOf(row) === name).length === n;
      return rows.length === all && Object.entries(expected).every(has);
    });
  }

  const counted = async (result: string): Promise<number> => {
    const { body } = await service.client.get('/metrics');
    return Number(
      new RegExp(`^retention_deliveries_total\\{transport="mail",result="${result}"\\} (\\d+)$`, 'm').exec(body)?.[1] ??
        0,
    );
  };

  /** Does something, and waits until another mail was refused for now. */
  async function untilRetried(act: () => Promise<unknown>): Promise<void> {
    const before = await counted('retried');
    await act();
    await until(
      () => counted('retried'),
      (retried) => retried > before,
    );
  }

  it('tell of a saved session: the offer as it was shown, the reason, the comment, the customer', async () => {
    const offer = await acme.offer({
      name: '50 % off for three months',
      offer_value: '50%',
      offer_duration: '3 months',
    });
    const { id, step } = await begin(await flow({ offer_ids: [offer.id] }), {
      id: 'cus_4711',
      email: 'ada@example.com',
    });
    await step({ node_key: 'reason', action: 'answer', option: 'too_expensive', comment: 'Zu teuer: 49 €' });
    await step({ node_key: 'offer_1', action: 'accept' });

    const [{ headers, text, html, recipients }] = await mailServer.received(address, 1);
    expect(recipients).toEqual([address]);
    expect(headers).toMatchObject({
      subject: ['Saved: Leaving Acme Pro (50 % off for three months)'],
      from: ['"Acme, Inc." <flows@acme.example>'],
      to: [address],
      'auto-submitted': ['auto-generated'],
      'message-id': [expect.stringMatching(/^<[0-9a-f-]{36}@acme\.example>$/)],
    });
    for (const part of [text, html]) {
      expect(part).toContain('50 % off for three months');
      expect(part).toContain('Too expensive');
      expect(part).toContain('Zu teuer: 49 €');
      expect(part).toContain('cus_4711');
      expect(part).not.toContain('ada@example.com');
      expect(part).not.toContain(id);
    }
    await untilStatuses({ delivered: 1 });
  });

  it('tell of a canceled session', async () => {
    await cancel(await flow(), 'missing_features');
    const [{ headers, text }] = await mailServer.received(address, 1);
    expect(headers.subject).toEqual(['Went on to cancel: Leaving Acme Pro (It lacks something I need)']);
    expect(text).toContain('The customer went on to cancel.');
  });

  it('are sent about sessions that ended, and only if their flow has an address', async () => {
    await begin(await flow());
    await cancel(await flow({ notification_email: null }));
    await cancel(await flow());
    await mailServer.received(address, 1);
    expect(await deliveries()).toHaveLength(1);
  });

  it('have no field of their header from what customers and operators write', async () => {
    const evil = 'x\r\nBcc: eve@evil.example\r\n\r\n<b>';
    const offer = await acme.offer({ name: evil });
    const { step } = await begin(await flow({ name: evil, offer_ids: [offer.id] }), { id: evil });
    await step({ node_key: 'reason', action: 'answer', option: 'other', comment: evil });
    await step({ node_key: 'offer_1', action: 'accept' });

    const [{ headers, recipients, html }] = await mailServer.received(address, 1);
    expect(recipients).toEqual([address]);
    expect(Object.keys(headers)).not.toContain('bcc');
    expect(headers.subject).toEqual(['Saved: x Bcc: eve@evil.example <b> (x Bcc: eve@evil.example <b>)']);
    expect(html).not.toContain('<b>');
  });

  it('are sent again after a temporary refusal (4xx), with the same Message-ID', async () => {
    const own = await flow();
    mailServer.refuse(address, 451, 'message');
    await untilRetried(() => cancel(own, 'other', 'I am Ada.'));
    expect(await deliveries()).toEqual([{ status: 'pending', attempts: 1, last_error: 'DATA: 451' }]);
    mailServer.refuse(address);
    await service.letPass('10 seconds', acme);
    const mails = await mailServer.received(address, 2);
    expect(new Set(mails.map(({ headers }) => headers['message-id'][0])).size).toBe(1);
    await untilStatuses({ delivered: 1 });
    expect(await deliveries()).toEqual([{ status: 'delivered', attempts: 2, last_error: null }]);
  });

  it('end with a final refusal (5xx). The reason is kept, without what the server quotes', async () => {
    const failed = await counted('failed');
    mailServer.refuse(address, 550);
    await cancel(await flow(), 'other', 'I am Ada.');
    await until(
      () => counted('failed'),
      (count) => count > failed,
    );
    expect(await deliveries()).toEqual([{ status: 'failed', attempts: 1, last_error: 'RCPT TO: 550' }]);
  });

  it('end after ten attempts', async () => {
    mailServer.refuse(address, 450);
    const own = await flow();
    await untilRetried(() => cancel(own));
    await service.database.query('UPDATE deliveries SET attempts = 8 WHERE workspace_id = $1', [acme.id]);
    await untilRetried(() => service.letPass('10 seconds', acme));
    await service.letPass('29 hours', acme);
    await untilStatuses({ failed: 1 });
    expect(await deliveries()).toEqual([{ status: 'failed', attempts: 10, last_error: 'RCPT TO: 450' }]);
  });

  it('wait for a server that is away', async () => {
    const { slug } = await flow();
    await mailServer.close();
    await untilRetried(() => cancel({ slug }));
    expect(await deliveries()).toEqual([{ status: 'pending', attempts: 1, last_error: 'CONN: ECONNREFUSED' }]);
    await mailServer.open();
    await service.letPass('10 seconds', acme);
    await mailServer.received(address, 1);
  });

  it('wait while the login is refused: that is not about the mail', async () => {
    const own = await flow();
    mailServer.refusesLogins = true;
    await untilRetried(() => cancel(own));
    expect(await deliveries()).toEqual([{ status: 'pending', attempts: 1, last_error: 'AUTH PLAIN: 535' }]);
    mailServer.refusesLogins = false;
    await service.letPass('10 seconds', acme);
    await mailServer.received(address, 1);
  });

  it('go to the address that the flow has when they are sent. Without one they are dropped', async () => {
    const { id, slug } = await flow();
    mailServer.refuse(address, 451);
    await untilRetried(() => cancel({ slug }));
    const other = `other-${address}`;
    mailServer.refuse(other, 451, 'message');
    await acme.client.put(`/api/v1/public/flows/${id}`, { notification_email: other });
    await untilRetried(() => service.letPass('10 seconds', acme));
    expect(mailServer.to(other)).toHaveLength(1);
    await acme.client.put(`/api/v1/public/flows/${id}`, { notification_email: null });
    await service.letPass('10 minutes', acme);
    await untilStatuses({ failed: 1 });
    expect(mailServer.to(other)).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ last_error: 'The flow has no address.' }]);
  });

  it('say nothing of a customer who was erased before', async () => {
    mailServer.refuse(address, 451);
    const own = await flow();
    await untilRetried(() => cancel(own, 'other', 'I am Ada.', { id: 'cus_ada' }));
    await acme.client.delete('/api/v1/public/customers/cus_ada');
    mailServer.refuse(address);
    await service.letPass('10 seconds', acme);
    const [{ text, html, headers }] = await mailServer.received(address, 1);
    expect(text + html + JSON.stringify(headers)).not.toMatch(/\bada\b|cus_ada/i);
    expect(text).toContain('Something else');
  });

  it('are dropped with sessions that were deleted', async () => {
    mailServer.refuse(address, 451);
    const own = await flow();
    await untilRetried(() => cancel(own));
    await service.database.query('DELETE FROM session_steps WHERE workspace_id = $1', [acme.id]);
    await service.database.query('DELETE FROM flow_sessions WHERE workspace_id = $1', [acme.id]);
    const dropped = await counted('dropped');
    await service.letPass('10 seconds', acme);
    await untilStatuses({ failed: 1 });
    await until(
      () => counted('dropped'),
      (count) => count === dropped + 1,
    );
  });

  it('are up to 30 an hour for a flow, however many processes send them. One more sums up the rest', async () => {
    const second = await start();
    const offer = await acme.offer({ name: 'Half price' });
    const own = await flow({ offer_ids: [offer.id] });
    const take = async (n: number) => {
      const { step } = await begin(own);
      await step({ node_key: 'reason', action: 'answer', option: n % 4 === 0 ? 'other' : 'too_expensive' });
      if (n % 4 === 1) await step({ node_key: 'offer_1', action: 'accept' });
      else if (n % 4 === 2) await step({ action: 'keep' });
      else await step({ action: 'cancel' });
    };
    await Promise.all(Array.from({ length: 40 }, (_, n) => take(n)));
    await untilStatuses({ delivered: 30, pending: 1, collected: 9 });
    const single = mailServer.to(address);
    await Promise.all(Array.from({ length: 8 }, (_, n) => take(n)));
    await untilStatuses({ delivered: 30, pending: 1, collected: 17 });
    expect(mailServer.to(address)).toHaveLength(30);

    await service.letPass('1 hour', acme);
    await untilStatuses({ delivered: 31, collected: 17 });
    await second.stop();
    const mails = mailServer.to(address);
    expect(new Set(mails.map(({ headers }) => headers['message-id'][0])).size).toBe(31);
    expect(mails).toHaveLength(31);
    const countOf = (outcome: string) => single.filter(({ headers }) => headers.subject[0].startsWith(outcome)).length;
    const [saved, canceled] = [24 - countOf('Saved'), 24 - countOf('Went on to cancel')];
    expect(saved + canceled).toBe(18);
    const { headers, text } = mails[30];
    expect(headers.subject).toEqual([`Summary: Leaving Acme Pro (${saved} saved, ${canceled} went on to cancel)`]);
    const counts = [...text.matchAll(/^ {2}(\D+): (\d+)$/gm)].map(([, label, count]) => [label, Number(count)]);
    expect(new Set(counts.map(([label]) => label))).toEqual(
      new Set(['Half price', 'No offer accepted', 'Something else', 'Too expensive']),
    );
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(18);

    await cancel(own);
    await mailServer.received(address, 32);
  });

  it('are cut off, then put back, when the service stops and the server does not answer within 5 s', async () => {
    const own = await flow();
    mailServer.ignore(address);
    await cancel(own);
    await mailServer.received(address, 1);
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM deliveries WHERE workspace_id = $1 FOR UPDATE', [acme.id]);
      const stopped = service.stop();
      await untilBlocking(client);
      await until(
        async () => mailServer.connections,
        (count) => count === 0,
      );
      await client.query('COMMIT');
      await stopped;
    });
    service = await start();
    mailServer.ignore(address, false);
    const [first, again] = await mailServer.received(address, 2);
    expect(again.headers['message-id']).toEqual(first.headers['message-id']);
    await untilStatuses({ delivered: 1 });
    expect(await deliveries()).toMatchObject([{ attempts: 2 }]);
  });

  it('are not even queued without a mail server', async () => {
    await service.stop();
    service = await Service.start({ BACKGROUND_JOBS: 'true' });
    acme = await service.workspace();
    await cancel(await flow());
    const events = () => acme.client.get('/api/v1/public/events?type=session.canceled');
    await until(events, ({ body }) => body.events.length > 0);
    expect(await deliveries()).toEqual([]);
  });
});
