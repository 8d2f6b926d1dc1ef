import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import type { Answer } from '../support/client';
import { Service, Tenant } from '../support/service';

const FLOWS = '/api/v1/public/flows';
const FLOW = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };

describe('Flows and versions of a workspace', () => {
  let service: Service;
  let secondProcess: Service;
  let acme: Tenant;

  beforeAll(async () => {
    const limits = { MAX_FLOWS_PER_WORKSPACE: '6', MAX_VERSIONS_PER_FLOW: '5', MAX_VERSIONS_PER_WORKSPACE: '12' };
    service = await Service.start(limits);
    secondProcess = await Service.start(limits);
  });
  afterAll(() => Promise.all([service.stop(), secondProcess.stop()]));
  beforeEach(async () => {
    acme = await service.workspace();
  });

  const clients = () => [acme.client, secondProcess.client.with(acme.key)];
  const create = (client = acme.client) => client.post(FLOWS, FLOW);
  const rename = ({ id }: { id: string }, name: string, client = acme.client) => client.put(`${FLOWS}/${id}`, { name });
  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((one, other) => one - other);

  /** Sends requests to two processes; both wait in the database before either carries one out. */
  async function atOnce(requests: () => Promise<Answer>[]): Promise<Answer[]> {
    return connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspace_codes WHERE workspace_id = $1 FOR UPDATE', [acme.id]);
      const sent = requests();
      await untilBlocking(client, 2);
      await client.query('COMMIT');
      return Promise.all(sent);
    });
  }

  it('are limited: a workspace gets no seventh flow, also when several are asked for at once, and archived ones count', async () => {
    const [first] = [await create(), await create()];
    const answers = await atOnce(() => clients().flatMap((client) => Array.from({ length: 4 }, () => create(client))));
    expect(statusesOf(answers)).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    await acme.client.delete(`${FLOWS}/${first.body.id}`);
    const { status, body } = await create();
    expect([status, body.code]).toEqual([409, 'flow_limit_reached']);
    expect(body.detail).toBe('The workspace has 6 flows, archived ones included, the most it may have.');
    expect(await service.database.query('SELECT FROM flows WHERE workspace_id = $1', [acme.id])).toHaveLength(6);
    // Another workspace has its own.
    expect((await (await service.workspace()).client.post(FLOWS, FLOW)).status).toBe(201);
  });

  it('are limited: a flow gets no sixth version, and everything else of it can still be changed', async () => {
    const flow = await acme.publishedFlow();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => rename(flow, `Change ${n}`)));
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({
      code: 'version_limit_reached',
      detail:
        'It has 5 versions, the most that a flow or an offer may have. Create a new one with its content, and archive this one.',
    });
    const { name, current_version } = (await acme.client.get(`${FLOWS}/${flow.id}`)).body;
    expect(current_version).toBe(5);
    const same = await acme.client.put(`${FLOWS}/${flow.id}`, { name, description: 'Full', status: 'published' });
    expect(same.status).toBe(200);
    expect((await service.client.post('/api/v1/runtime/session/init', { flow_slug: flow.slug })).status).toBe(201);
    expect((await acme.client.delete(`${FLOWS}/${flow.id}`)).status).toBe(200);
  });

  it('are limited: the flows of a workspace get no thirteenth version together, also when several are asked for at once', async () => {
    const flows = [await acme.flow(), await acme.flow(), await acme.flow()];
    for (const flow of flows) for (const name of ['Two', 'Three']) expect((await rename(flow, name)).status).toBe(200);
    const answers = await atOnce(() =>
      clients().flatMap((client, n) => flows.map((flow) => rename(flow, `Change ${n}`, client))),
    );
    expect(statusesOf(answers)).toEqual([200, 200, 200, 409, 409, 409]);
    for (const { status, body } of [await create(), answers.find((one) => one.status === 409)!]) {
      expect([status, body.code]).toEqual([409, 'workspace_version_limit_reached']);
      expect(body.detail).toBe('The workspace has 12 versions of flows, or of offers, the most it may have.');
    }
    const versions = await service.database.query('SELECT FROM flow_versions WHERE workspace_id = $1', [acme.id]);
    expect(versions).toHaveLength(12);
  });
});
