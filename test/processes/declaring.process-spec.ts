import { workerDatabaseUrl } from '../support/database';
import { MailServer } from '../support/mail-server';
import { Service } from '../support/service';
import { ServiceProcess } from '../support/service-process';
import { until } from '../support/until';

/** As many as one address may declare in an hour. */
const DECLARATIONS = 20;

interface Declared {
  number: string;
  email: string;
}

describe('Declaring that a contract ends', () => {
  let mailServer: MailServer;
  let service: Service;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    service = await Service.start();
  });
  afterAll(async () => {
    await ServiceProcess.killAll();
    await service.stop();
    await mailServer.close();
  });

  it.each([5, 10, 15])(
    'is stored when it is acknowledged, and has one receipt, also if the process is killed at the %ith',
    async (nth) => {
      const acme = await service.workspace();
      const { slug } = await acme.flow({ exit: { enabled: true } });
      const env = { DATABASE_URL: workerDatabaseUrl(), SMTP_URL: mailServer.url, MAIL_FROM: 'exit@acme.example' };
      const killed = ServiceProcess.start(env);
      const address = await killed.address();

      const acknowledged: Declared[] = [];
      const declare = async (index: number) => {
        const email = `${slug}-${index}@example.com`;
        const response = await fetch(`${address}/api/v1/runtime/exit/${slug}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ kind: 'termination', name: 'Ada Lovelace', email, contract: 'Customer 4711' }),
        });
        const { number } = (await response.json()) as Declared;
        acknowledged.push({ number, email });
        if (acknowledged.length === nth) killed.signal('SIGKILL');
      };
      await Promise.allSettled(Array.from({ length: DECLARATIONS }, (_, index) => declare(index)));
      expect(await killed.ended).toBe('SIGKILL');

      const { body } = await acme.client.get(`/api/v1/public/declarations?limit=${DECLARATIONS}`);
      const declared = (body.declarations as Declared[]).map(({ number, email }) => ({ number, email }));
      expect(declared).toEqual(expect.arrayContaining(acknowledged));

      // The dead process has its leases no more.
      await service.database.query(
        `UPDATE deliveries SET next_attempt_at = now() WHERE workspace_id = $1 AND status = 'pending'`,
        [acme.id],
      );
      ServiceProcess.start(env);
      const waiting = `SELECT id::text FROM outbox WHERE workspace_id = $1
        UNION ALL SELECT event_id::text FROM deliveries WHERE workspace_id = $1 AND status = 'pending'`;
      await until(
        () => service.database.query<object[]>(waiting, [acme.id]),
        (rows) => rows.length === 0,
      );
      for (const { number, email } of declared) {
        const mails = mailServer.to(email);
        // What was under way comes twice, and mailboxes show it once.
        expect(new Set(mails.map(({ headers }) => headers['message-id'][0])).size).toBe(1);
        expect(mails[0].text).toContain(number);
      }
    },
  );
});
