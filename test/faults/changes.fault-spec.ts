import { ADMIN_API_KEY } from '../support/environment';
import { send } from './support/http';
import { PostgresServer } from './support/postgres-server';
import { ServiceUnderFault } from './support/service-under-fault';

const DATABASE = 'changes';
const AT_ONCE = 64;
const OFFER = { name: 'Half price', offer_type: 'discount_percentage' };

/** $1: workspace. Offers and their entries in the log, with those that lack the other. */
const ROWS = `
  SELECT count(offers.id)::integer AS offers, count(changes.id)::integer AS changes,
    (count(*) FILTER (WHERE offers.id IS NULL OR changes.id IS NULL))::integer AS alone
  FROM (SELECT * FROM offers WHERE workspace_id = $1) AS offers
    FULL JOIN (SELECT * FROM changes WHERE workspace_id = $1 AND action = 'offer.created') AS changes ON subject_id = offers.id`;

describe('The log of changes', () => {
  let postgres: PostgresServer;
  let service: ServiceUnderFault;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    await postgres.query(`CREATE DATABASE ${DATABASE}`);
    service = await ServiceUnderFault.start(postgres.url(DATABASE));
  });
  afterAll(async () => {
    await service?.kill();
    await postgres?.stop();
  });

  const post = (path: string, body: object, bearer: string) =>
    send(undefined, 'POST', service.url + path, body, { authorization: `Bearer ${bearer}` });

  it('has each of 64 changes at once, and none without its change when the service is killed', async () => {
    const { body } = await post('/api/v1/admin/workspaces', { name: 'Acme' }, ADMIN_API_KEY);
    const create = () => post('/api/v1/public/offers', OFFER, body.api_key.key);
    const createAll = () => Array.from({ length: AT_ONCE }, create);
    const rows = () => postgres.query(ROWS, [body.id], DATABASE);

    expect((await Promise.all(createAll())).map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
    expect(await rows()).toEqual([{ offers: AT_ONCE, changes: AT_ONCE, alone: 0 }]);

    const underWay = createAll();
    const answered = Promise.allSettled(underWay);
    await Promise.any(underWay);
    await service.kill();
    const done = (await answered).filter(({ status }) => status === 'fulfilled').length;
    service = await ServiceUnderFault.start(postgres.url(DATABASE));
    const [{ offers, changes, alone }] = (await rows()) as Record<string, number>[];
    expect([changes, alone]).toEqual([offers, 0]);
    expect(offers).toBeGreaterThanOrEqual(AT_ONCE + done);
    expect(service.defects).toEqual([]);
  });
});
