import { randomUUID } from 'node:crypto';
import { Client } from '../support/client';
import { MailServer } from '../support/mail-server';
import { PASSWORD, Service, Tenant, tokenIn } from '../support/service';

const INVITATIONS = '/api/v1/public/invitations';

describe('The mail of an invitation', () => {
  let mailServer: MailServer;
  let service: Service;
  let acme: Tenant;
  let owner: Client;
  /** The address that the test invites. No other test invites it. */
  let email: string;

  const start = (env: NodeJS.ProcessEnv = {}) => {
    return Service.start({
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'flows@acme.example',
      PUBLIC_URL: 'https://flows.acme.example',
      LOG_LEVEL: 'warn',
      ...env,
    });
  };
  const invite = (headers?: Record<string, string>) => owner.post(INVITATIONS, { email, role: 'editor' }, headers);

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
    owner = await service.person(acme, 'owner', `owner-${acme.id}@acme.example`);
    email = `${randomUUID()}@acme.example`;
  });

  it('says who invites whom to what, until when, and has a link that lets them in', async () => {
    const { body } = await invite();
    expect(body).toMatchObject({ mailed: true, link: null });
    const [{ headers, recipients, text, html }] = mailServer.to(email);
    expect(recipients).toEqual([email]);
    expect(headers).toMatchObject({ subject: ['Invitation: Acme'], from: ['flows@acme.example'], to: [email] });
    expect(headers).not.toHaveProperty('reply-to');
    const until = `${body.expires_at.slice(0, 19).replace('T', ' ')} UTC`;
    for (const part of [text, html]) {
      for (const said of ['Acme', 'The owner', `owner-${acme.id}@acme.example`, 'editor', until]) {
        expect(part).toContain(said);
      }
    }
    const [link] = /https:\S+/.exec(text)!;
    expect(html).toContain(`<a href="${link}">`);
    const acceptance = { token: tokenIn(link), name: 'Grace', password: PASSWORD };
    const grace = service.client.signedIn(await service.client.post('/api/v1/auth/invitation/accept', acceptance));
    expect((await grace.get('/api/v1/public/me')).body.email).toBe(email);
  });

  it('proves the address, so nobody else becomes a person with it; a link in an answer does not', async () => {
    const accept = (link: string, password: string) =>
      service.client.post('/api/v1/auth/invitation/accept', { token: tokenIn(link), name: 'Dora', password });
    const path = async () => `/api/v1/admin/workspaces/${(await service.workspace()).id}/invitations`;
    const byOperator = async () => (await service.operator.post(await path(), { email, role: 'viewer' })).body.link;
    expect((await accept(await byOperator(), 'the password of a squatter')).status).toBe(200);
    await invite();
    const mails = mailServer.to(email);
    expect((await accept(/https:\S+/.exec(mails.at(-1)!.text)![0], PASSWORD)).status).toBe(200);
    const late = await byOperator();
    const { is_known } = (await service.client.post('/api/v1/auth/invitation', { token: tokenIn(late) })).body;
    expect(is_known).toBe(true);
    expect((await accept(late, 'the password of a stranger')).body.code).toBe('wrong_credentials');
    expect((await accept(late, PASSWORD)).status).toBe(200);
  });

  it('is the only place of a link to set a password, which proves the address, too', async () => {
    const grace = await service.person(acme, 'editor', email);
    const { id } = (await grace.get('/api/v1/public/me')).body.actor;
    const { body } = await owner.send('POST', `/api/v1/public/people/${id}/password-link`);
    expect(body).toEqual({ link: null, mailed: true });
    const { headers, text } = mailServer.to(email).at(-1)!;
    expect(headers.subject).toEqual(['New password: Acme']);
    const token = tokenIn(/https:\S+/.exec(text)![0]);
    const set = { token, password: 'another good password' };
    expect((await service.client.post('/api/v1/auth/password', set)).status).toBe(200);
    const [{ email_proven }] = await service.database.query('SELECT email_proven FROM people WHERE id = $1', [id]);
    expect(email_proven).toBe(true);
  });

  it('lets the owner of an address in, however many others have it', async () => {
    for (let n = 1; n <= 5; n++) {
      const path = `/api/v1/admin/workspaces/${(await service.workspace()).id}/invitations`;
      const { link } = (await service.operator.post(path, { email, role: 'viewer' })).body;
      const acceptance = { token: tokenIn(link), name: 'Squatter', password: `the password of ${n}` };
      expect((await service.client.post('/api/v1/auth/invitation/accept', acceptance)).status).toBe(200);
    }
    await invite();
    const token = tokenIn(/https:\S+/.exec(mailServer.to(email).at(-1)!.text)![0]);
    const accepted = await service.client.post('/api/v1/auth/invitation/accept', {
      token,
      name: 'Dora',
      password: PASSWORD,
    });
    expect(accepted.status).toBe(200);
    expect((await service.client.post('/api/v1/auth/session', { email, password: PASSWORD })).body.name).toBe('Dora');
  });

  it('may fail: then the answer has the link to set a password, which proves nothing, and ends what was proved', async () => {
    const grace = await service.person(acme, 'editor', email);
    const { id } = (await grace.get('/api/v1/public/me')).body.actor;
    await service.database.query('UPDATE people SET email_proven = true WHERE id = $1', [id]);
    mailServer.refuse(email, 550);
    const { body } = await owner.send('POST', `/api/v1/public/people/${id}/password-link`);
    expect(body.mailed).toBe(false);
    const set = { token: tokenIn(body.link), password: 'another good password' };
    expect((await service.client.post('/api/v1/auth/password', set)).status).toBe(200);
    const [{ email_proven }] = await service.database.query('SELECT email_proven FROM people WHERE id = $1', [id]);
    expect(email_proven).toBe(false);
  });

  it('is sent for the operator, too', async () => {
    const invitation = { email, role: 'owner' };
    const { body } = await service.operator.post(`/api/v1/admin/workspaces/${acme.id}/invitations`, invitation);
    expect(body.mailed).toBe(true);
    expect(mailServer.to(email)[0].text).toContain(body.link);
  });

  it('is sent once, however often the request comes with its Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await invite(key);
    expect(first.body.mailed).toBe(true);
    expect((await invite(key)).body).toEqual(first.body);
    expect(mailServer.to(email)).toHaveLength(1);
  });

  it('may be refused: then the invitation is made all the same, and the log has the code alone', async () => {
    mailServer.refuse(email, 550);
    const { status, body } = await invite();
    expect([status, body.mailed]).toEqual([201, false]);
    const lines = service.log.filter((line) => line.includes(body.id));
    expect(lines).toEqual([expect.stringContaining(`The mail of the link ${body.id}: RCPT TO: 550`)]);
    expect(service.log.join('')).not.toContain(tokenIn(body.link));
  });

  it('keeps nobody waiting but who invites, when the mail server hangs', async () => {
    mailServer.ignore(email);
    let isAnswered = false;
    const others = Array.from({ length: 9 }, (_, n) => {
      mailServer.ignore(`${n}-${email}`);
      return owner.post(INVITATIONS, { email: `${n}-${email}`, role: 'editor' });
    });
    const invited = invite().finally(() => (isAnswered = true));
    await mailServer.received(email, 1);
    await Promise.all(others.map((_, n) => mailServer.received(`${n}-${email}`, 1)));
    expect((await acme.client.put('/api/v1/public/workspace', { name: 'New' })).status).toBe(200);
    expect(isAnswered).toBe(false);
    const answers = await Promise.all([invited, ...others]);
    expect(answers.map(({ status, body }) => [status, body.mailed])).toEqual(answers.map(() => [201, false]));
  });

  it('has no field of its header and no markup from names', async () => {
    const evil = 'x\r\nBcc: eve@evil.example\r\n\r\n<b>';
    await acme.client.put('/api/v1/public/workspace', { name: `${evil}${'y'.repeat(150)}` });
    await service.database.query(
      'UPDATE people SET name = $1 WHERE id IN (SELECT person_id FROM members WHERE workspace_id = $2)',
      [evil, acme.id],
    );
    await invite();
    const [{ headers, recipients, text, html }] = mailServer.to(email);
    expect(recipients).toEqual([email]);
    expect(headers).not.toHaveProperty('bcc');
    expect(headers.subject).toEqual([`Invitation: x Bcc: eve@evil.example <b>${'y'.repeat(72)}…`]);
    expect(text).not.toMatch(/^ *Bcc/m);
    expect(html).not.toContain('<b>');
  });

  it('goes to one address up to 5 times an hour', async () => {
    const mailed: boolean[] = [];
    for (let n = 0; n < 6; n++) mailed.push((await invite()).body.mailed);
    expect(mailed).toEqual([true, true, true, true, true, false]);
  });

  it('goes to 50 addresses an hour', async () => {
    // With the owner's, it is 51.
    const invitations = Array.from({ length: 50 }, (_, n) => ({ email: `${n}-${email}`, role: 'viewer' }));
    let mailed = 0;
    for (const invitation of invitations) mailed += +(await owner.post(INVITATIONS, invitation)).body.mailed;
    expect(mailed).toBe(49);
  });

  it.each(['SMTP_URL', 'PUBLIC_URL'])('is not sent without %s', async (setting) => {
    const other = await start({ [setting]: '' });
    const path = `/api/v1/admin/workspaces/${acme.id}/invitations`;
    const { status, body } = await other.operator.post(path, { email, role: 'owner' });
    expect([status, body.mailed]).toEqual([201, false]);
    expect(mailServer.to(email)).toEqual([]);
    await other.stop();
  });
});
