import { serviceForAll, workspaceForEach } from '../support/service';
import { addWebhook, announcements, outboxOf, recordsOf, withoutOutbox } from './outbox';

const ADA = { id: 'cus_ada', email: 'ada@example.com' };

describe('Events of erased customers', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let slug: string;

  beforeEach(async () => {
    ({ slug } = await acme.publishedFlow());
  });

  /** Begins a session and returns the id of its record. */
  async function begin(customer: object): Promise<string> {
    const { body } = await service.client.post('/api/v1/runtime/session/init', { flow_slug: slug, customer });
    return (await recordsOf(service, [body.session_id as string]))[0];
  }
  const erase = async () => (await acme.client.delete(`/api/v1/public/customers/${ADA.id}`)).status;
  const entries = () => outboxOf(service, acme, 'customer');
  const idsOf = async () =>
    (await entries()).map(({ data }) => (data as { flow_session_ids: string[] }).flow_session_ids);

  it('name the records of the sessions, and nothing of the customer', async () => {
    const sessions = [await begin(ADA), await begin(ADA)];
    await begin({ id: 'cus_2' });
    const announced = announcements(service);
    await erase();
    const [{ data }, ...more] = await entries();
    expect(more).toEqual([]);
    expect(Object.keys(data!)).toEqual(['flow_session_ids']);
    expect((await idsOf())[0].toSorted()).toEqual(sessions.toSorted());
    expect(announced).toEqual([acme.id]);
    await erase();
    expect(await entries()).toHaveLength(1);
  });

  it('are several for a customer with many sessions, each less than 20 kB', async () => {
    await begin(ADA);
    await service.database.query(
      `WITH copies AS (SELECT gen_random_uuid() AS id FROM generate_series(1, 1849))
      INSERT INTO flow_sessions SELECT copy.* FROM copies, flow_sessions AS original,
        jsonb_populate_record(original, jsonb_build_object('id', copies.id, 'session_id', copies.id)) AS copy
      WHERE original.workspace_id = $1`,
      [acme.id],
    );
    await erase();
    const ids = await idsOf();
    expect(ids.map(({ length }) => length).toSorted((a, b) => b - a)).toEqual([400, 400, 400, 400, 200, 50]);
    expect(new Set(ids.flat()).size).toBe(1850);
    for (const { data } of await entries()) expect(JSON.stringify(data).length).toBeLessThan(19_000);
  });

  it('leave no response in a delivery that may quote the customer', async () => {
    const [session, ofOther] = [await begin(ADA), await begin({ id: 'cus_2' })];
    for (const webhook of [await addWebhook(service, acme), await addWebhook(service, acme)]) {
      for (const flowSession of [session, session, ofOther, null]) {
        await service.database.query(
          `WITH event AS (
            INSERT INTO events VALUES ($1, gen_random_uuid(), 'session.saved', $3, NULL, now()) RETURNING id
          )
          INSERT INTO deliveries SELECT $1, id, $2, 'webhook', $3, 'failed', 10, NULL, 500, 'No such user: ada', NULL, NULL, now(), now() FROM event`,
          [acme.id, webhook, flowSession],
        );
      }
    }
    const quoting = async (): Promise<(string | null)[]> => {
      const rows: { flow_session_id: string | null }[] = await service.database.query(
        'SELECT flow_session_id FROM deliveries WHERE workspace_id = $1 AND last_error IS NOT NULL',
        [acme.id],
      );
      return rows.map(({ flow_session_id }) => flow_session_id);
    };
    expect(await quoting()).toHaveLength(8);
    await erase();
    expect(await quoting()).toEqual(expect.arrayContaining([ofOther, ofOther, null, null]));
    expect(await quoting()).toHaveLength(4);
  });

  it('are committed with the erasing, or neither is', async () => {
    await begin(ADA);
    await withoutOutbox(service, acme, async () => expect(await erase()).toBe(500));
    const found = await acme.client.get(`/api/v1/public/sessions?customer_id=${ADA.id}`);
    expect(found.body.sessions).toHaveLength(1);
    expect(await entries()).toEqual([]);
  });
});
