import { serviceForAll, type Tenant } from '../support/service';
import { currentMonth } from './current-month';

const ADMIN = '/api/v1/admin/workspaces';
const OWN = '/api/v1/public/workspace';

describe('Usage', () => {
  const service = serviceForAll();

  const asOperator = async (id: string) => (await service.operator.get(`${ADMIN}/${id}`)).body;

  async function startSession(tenant: Tenant): Promise<void> {
    const { slug } = await tenant.publishedFlow();
    expect((await service.client.post('/api/v1/runtime/session/init', { flow_slug: slug })).status).toBe(201);
  }

  const usages = async (acme: Tenant) => {
    const { workspaces } = (await service.operator.get(`${ADMIN}?limit=500`)).body;
    const listed = workspaces.find(({ id }: { id: string }) => id === acme.id);
    return [await acme.usage(), (await asOperator(acme.id)).usage, listed.usage];
  };

  it.each([0, 5, 14])('counts per calendar month in UTC: it is 0 again after one month and %d more', async (more) => {
    const acme = await service.workspace({ session_limit: 3 });
    await startSession(acme);
    await startSession(acme);
    const month = { session_limit: 3, ...(await currentMonth(service)) };
    const [before, after] = [
      { ...month, sessions_used: 2 },
      { ...month, sessions_used: 0 },
    ];
    expect(await usages(acme)).toEqual([before, before, before]);
    await service.endMonth(acme, more);
    expect(await usages(acme)).toEqual([after, after, after]);
    await startSession(acme);
    expect((await acme.usage()).sessions_used).toBe(1);
  });

  it('counts each workspace separately', async () => {
    const [acme, other] = [await service.workspace(), await service.workspace()];
    await startSession(acme);
    expect([(await acme.usage()).sessions_used, (await other.usage()).sessions_used]).toEqual([1, 0]);
  });

  it('stays the same when the workspace or its limit is changed', async () => {
    const acme = await service.workspace();
    await startSession(acme);
    await acme.client.put(OWN, { name: 'After' });
    await service.operator.put(`${ADMIN}/${acme.id}`, { session_limit: 10 });
    expect(await acme.usage()).toMatchObject({ session_limit: 10, sessions_used: 1 });
  });
});
