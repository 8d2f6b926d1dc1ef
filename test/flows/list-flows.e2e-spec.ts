import { serviceForAll, workspaceForEach } from '../support/service';

const FLOWS = '/api/v1/public/flows';

describe('GET /api/v1/public/flows', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  it('lists flows newest first with exactly the documented fields, without archived ones', async () => {
    const first = await acme.flow({ name: 'First' });
    const second = await acme.flow({ name: 'Second' });
    const gone = await acme.flow({ name: 'Gone' });
    await acme.client.delete(`${FLOWS}/${gone.id}`);
    const { status, body } = await acme.client.get(FLOWS);
    expect(status).toBe(200);
    expect(body.flows.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(body.next_cursor).toBeNull();
    expect(Object.keys(body.flows[0]).toSorted()).toEqual([
      'current_version',
      'flow_mode',
      'id',
      'name',
      'product_name',
      'slug',
      'status',
      'updated_at',
    ]);
  });

  it('lists only the flows of a status with ?status=', async () => {
    const draft = await acme.flow();
    const published = await acme.publishedFlow();
    const archived = await acme.flow();
    await acme.client.delete(`${FLOWS}/${archived.id}`);
    for (const [status, flow] of Object.entries({ draft, published, archived })) {
      const { flows } = (await acme.client.get(`${FLOWS}?status=${status}`)).body;
      expect(flows.map(({ id }: { id: string }) => id)).toEqual([flow.id]);
    }
  });

  it('finds flows by key, slug and a part of the name, whatever its case', async () => {
    const pro = await acme.flow({ name: 'Leaving Pro', key: 'pro' });
    const team = await acme.flow({ name: 'Leaving 100%_Team' });
    const found = async (query: string) => {
      const { flows } = (await acme.client.get(`${FLOWS}?${query}`)).body;
      return flows.map(({ id }: { id: string }) => id);
    };
    expect([await found('key=pro'), await found(`slug=${team.slug}`)]).toEqual([[pro.id], [team.id]]);
    expect([await found('q=leaving'), await found('q=PRO'), await found('q=%25_')]).toEqual([
      [team.id, pro.id],
      [pro.id],
      [team.id],
    ]);
    expect([await found('q=Pro&key=team'), await found('q=x'), await found('key=prox')]).toEqual([[], [], []]);
    expect((await acme.client.get(`${FLOWS}?q=leaving&limit=1`)).body.next_cursor).not.toBeNull();
    const other = await service.workspace();
    expect((await other.client.get(`${FLOWS}?slug=${team.slug}`)).body.flows).toEqual([]);
  });

  it('pages through all flows, each once, while others are changed or created', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.unshift((await acme.flow({ name: `Flow ${n}` })).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await acme.client.get(`${FLOWS}?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.flows.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
      await acme.client.put(`${FLOWS}/${ids[6]}`, { description: `edit ${seen.length}` });
      await acme.flow();
    }
    expect(seen).toEqual(ids);
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'limit=1.5',
    'limit=',
    'status=gone',
    'cursor=broken',
    'limit=1&limit=2',
    'page=2',
  ])('refuses ?%s and names the parameter', async (query) => {
    const { status, body } = await acme.client.get(`${FLOWS}?${query}`);
    expect(status).toBe(400);
    expect(body.errors[0].parameter).toBe(query.split('=')[0]);
  });
});
