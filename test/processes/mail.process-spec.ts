import { connected } from '../support/database';
import { ADMIN_API_KEY } from '../support/environment';
import { MailServer } from '../support/mail-server';
import { databasesForAll, ServiceProcess } from '../support/service-process';

const ADDRESS = 'retention@acme.example';

describe('A process that is killed while it sends a mail', () => {
  const databases = databasesForAll();
  let mailServer: MailServer;

  beforeAll(async () => {
    mailServer = await MailServer.start();
  });
  afterAll(() => mailServer.close());

  it('leaves the mail to the next one, which sends it after a minute with the same Message-ID', async () => {
    const databaseUrl = await databases.create();
    const env = { DATABASE_URL: databaseUrl, SMTP_URL: mailServer.url, MAIL_FROM: 'flows@acme.example' };
    const killed = ServiceProcess.start(env);
    mailServer.ignore(ADDRESS);
    await cancelASession(await killed.address());
    await mailServer.received(ADDRESS, 1);
    killed.signal('SIGKILL');
    await killed.exited;

    mailServer.ignore(ADDRESS, false);
    const lease = 'SELECT extract(epoch FROM next_attempt_at - updated_at)::integer AS seconds FROM deliveries';
    const [{ seconds }] = (await connected(databaseUrl, (client) => client.query(lease))).rows;
    expect(seconds).toBe(60);
    const aMinuteLater = `UPDATE deliveries SET next_attempt_at = next_attempt_at - interval '1 minute'`;
    await connected(databaseUrl, (client) => client.query(aMinuteLater));
    ServiceProcess.start(env);
    const [first, again] = await mailServer.received(ADDRESS, 2);
    expect(again.headers['message-id']).toEqual(first.headers['message-id']);
    expect(again.headers.subject).toEqual(['Went on to cancel: Leaving Acme Pro']);
  });

  async function cancelASession(address: string): Promise<void> {
    const send = async (method: string, path: string, body: object, key = '') => {
      const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
      const response = await fetch(`${address}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
      return (await response.json()) as Record<string, string> & { api_key: { key: string } };
    };
    const { key } = (await send('POST', 'admin/workspaces', { name: 'Acme' }, ADMIN_API_KEY)).api_key;
    const content = {
      name: 'Leaving Acme Pro',
      product_name: 'Acme Pro',
      cancellation_url: 'https://acme.example/cancel',
    };
    const flow = await send('POST', 'public/flows', { ...content, notification_email: ADDRESS }, key);
    await send('PUT', `public/flows/${flow.id}`, { status: 'published' }, key);
    const { session_id } = await send('POST', 'runtime/session/init', { flow_slug: flow.slug });
    await send('POST', `runtime/session/${session_id}/step`, { action: 'cancel' });
  }
});
