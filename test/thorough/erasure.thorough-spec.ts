import { because, go, walk } from '../statistics/walk';
import { connected, workerDatabaseUrl } from '../support/database';
import { serviceForAll } from '../support/service';

describe('Erasing a customer', () => {
  const service = serviceForAll();

  it('takes a customer with more sessions than a statement takes parameters, if need be at the second request', async () => {
    const acme = await service.workspace();
    const { slug } = await acme.publishedFlow();
    await walk(service, { slug, customer: { id: 'cus_1' } }, go, { ...because('other'), comment: 'I am Ada.' });
    const erase = () => acme.client.delete('/api/v1/public/customers/cus_1');
    const copies = `SELECT gen_random_uuid() FROM generate_series(1, 70000)`;
    const sql = `WITH copies (copy) AS (${copies}), sessions AS (
        INSERT INTO flow_sessions SELECT copied.* FROM copies, flow_sessions original,
          jsonb_populate_record(original, jsonb_build_object('id', copy, 'session_id', copy)) copied
          WHERE original.workspace_id = $1)
      INSERT INTO session_steps SELECT copied.* FROM copies, session_steps original,
        jsonb_populate_record(original, jsonb_build_object('flow_session_id', copy)) copied
      WHERE original.workspace_id = $1 AND original.comment IS NOT NULL`;
    await connected(workerDatabaseUrl(), (client) => client.query(sql, [acme.id]));
    let status = 503;
    for (let attempts = 0; attempts < 5 && status === 503; attempts++) ({ status } = await erase());
    expect(status).toBe(200);
    const [{ traces }] = await service.database.query(
      `SELECT (SELECT count(*) FROM flow_sessions WHERE workspace_id = $1 AND (customer_id IS NOT NULL OR customer IS NOT NULL))
        + (SELECT count(*) FROM session_steps WHERE workspace_id = $1 AND comment IS NOT NULL) AS traces`,
      [acme.id],
    );
    expect(traces).toBe('0');
    expect((await erase()).body).toEqual({ erased: true, sessions: 0 });
  });
});
