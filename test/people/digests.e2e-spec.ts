import { Jobs } from '../../src/platform/database/queue/jobs.service';
import { Client } from '../support/client';
import { MailServer } from '../support/mail-server';
import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';

const PEOPLE = '/api/v1/public/people';
const SESSION = '/api/v1/runtime/session';

describe('The report by mail', () => {
  let mailServer: MailServer;
  let service: Service;
  let acme: Tenant;
  let owner: Client;
  let email: string;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    service = await Service.start({
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'flows@acme.example',
      PUBLIC_URL: 'https://flows.acme.example',
      BACKGROUND_JOBS: 'true',
      LOG_LEVEL: 'error',
    });
  });
  afterAll(async () => {
    await service.stop();
    await mailServer.close();
  });
  beforeEach(async () => {
    acme = await service.workspace();
    email = `owner-${acme.id}@acme.example`;
    owner = await service.person(acme, 'owner', email);
  });

  /** Without the mail that invited them. */
  const reports = () =>
    Promise.resolve(mailServer.to(email).filter(({ headers }) => headers.subject[0].startsWith('Report')));
  const idOf = async (person: Client): Promise<string> => (await person.get('/api/v1/public/me')).body.actor.id;
  const choose = async (person: Client, digest: unknown) =>
    (await person.put(`${PEOPLE}/${await idOf(person)}`, { digest })).status;
  const digestOf = async (person: Client) => {
    const id = await idOf(person);
    const { people } = (await person.get(PEOPLE)).body as { people: { id: string; digest: string | null }[] };
    return people.find((one) => one.id === id)!.digest;
  };
  const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000);
  /** When the next mail is due, in the database's words. */
  const dueAt = async (): Promise<Date | null> => {
    const rows: { digest_due_at: Date | null }[] = await service.database.query(
      'SELECT digest_due_at FROM members WHERE workspace_id = $1',
      [acme.id],
    );
    return rows[0].digest_due_at;
  };
  /** Lets what is chosen be due, and a turn of the job end that has looked at it. */
  async function becomeDue(): Promise<void> {
    const due = `UPDATE members SET digest_due_at = now() - interval '1 minute' WHERE workspace_id = $1 AND digest IS NOT NULL`;
    await service.database.query(due, [acme.id]);
    service.app.get(Jobs).runNow('Reports by mail');
  }
  const customers = async (slug: string, ids: string[], action: string) => {
    for (const id of ids) {
      const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: slug, customer: { id } });
      await service.client.post(`${SESSION}/${body.session_id}/step`, { node_key: 'start', action: 'continue' });
      const answer = { node_key: 'reason', action: 'answer', option: 'too_expensive' };
      await service.client.post(`${SESSION}/${body.session_id}/step`, answer);
      await service.client.post(`${SESSION}/${body.session_id}/step`, { action });
    }
  };

  it('says of the last week who wanted to leave, who stayed and why, and is mailed once', async () => {
    const { slug } = await acme.publishedFlow();
    await customers(slug, ['cus_1'], 'keep');
    await customers(slug, ['cus_2', 'cus_3'], 'cancel');
    await service.letPass('7 days', acme);
    expect(await choose(owner, 'weekly')).toBe(200);
    await becomeDue();
    const [{ headers, text }] = await until(reports, ({ length }) => length > 0);
    expect(headers.subject[0]).toMatch(
      /^Report: Acme \(\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d: 3 wanted to leave, 1 stayed\)$/,
    );
    for (const said of [
      '(33 %)',
      'The week before: 0 and 0',
      'Too expensive: 3',
      'https://flows.acme.example/console#/report',
    ])
      expect(text).toContain(said);
    const next = (await until(dueAt, (time) => time! > inHours(2)))!;
    expect([next.getUTCDay(), next.getUTCHours()]).toEqual([1, 6]);
    expect(await reports()).toHaveLength(1);
  });

  it('comes on the first of a month, of the one before', async () => {
    expect(await choose(owner, 'monthly')).toBe(200);
    const first = (await dueAt())!;
    expect([first.getUTCDate(), first.getUTCHours()]).toEqual([1, 6]);
    await becomeDue();
    const [{ headers }] = await until(reports, ({ length }) => length > 0);
    expect(headers.subject[0]).toMatch(/^Report: Acme \(\d{4}-\d\d: 0 wanted to leave, 0 stayed\)$/);
  });

  it.each([
    ['is tried again in an hour if the mail server is in trouble', 451, (due: Date) => due < inHours(2)],
    ['is not tried again if the mail server refuses the address', 550, (due: Date) => due > inHours(2)],
  ])('%s', async (_, code, isExpected) => {
    mailServer.refuse(email, code);
    await choose(owner, 'weekly');
    await becomeDue();
    const due = await until(dueAt, (time) => time! > new Date() && isExpected(time!));
    expect(due! > new Date()).toBe(true);
    expect(await reports()).toEqual([]);
  });

  it('is everybody’s own choice, and nobody’s at first', async () => {
    const viewer = await service.person(acme, 'viewer', `viewer-${acme.id}@acme.example`);
    expect(await digestOf(viewer)).toBeNull();
    expect(await choose(viewer, 'monthly')).toBe(200);
    expect([await digestOf(viewer), await digestOf(owner)]).toEqual(['monthly', null]);
    expect(await choose(viewer, null)).toBe(200);
    expect(await digestOf(viewer)).toBeNull();
    const ofOther = await owner.put(`${PEOPLE}/${await idOf(viewer)}`, { digest: 'weekly' });
    expect([ofOther.status, ofOther.body.errors]).toEqual([
      400,
      [{ pointer: '/digest', message: 'is for the person to set' }],
    ]);
    const role = await viewer.put(`${PEOPLE}/${await idOf(viewer)}`, { role: 'owner' });
    expect([role.status, role.body.code]).toEqual([403, 'insufficient_role']);
  });

  it.each([['daily'], [1], [true], ['']])('is refused as %p', async (digest) => {
    expect(await choose(owner, digest)).toBe(400);
    expect(await digestOf(owner)).toBeNull();
  });
});
