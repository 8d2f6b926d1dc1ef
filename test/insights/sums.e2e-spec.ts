import { readTime } from '../../src/database/time';
import { Transactions } from '../../src/database/transactions';
import { countCustomers, countDays, countFacts } from '../../src/insights/sums/counts';
import { Service, type Tenant } from '../support/service';
import { plainCount, sorted } from './plain-count';

const RUNTIME = '/api/v1/runtime/session';

describe('Sums', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  async function walk(flow: { slug: string }, id: string | undefined, ...steps: object[]): Promise<string> {
    const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug, customer: id && { id } });
    let node_key: string | undefined = body.flow.entry_node.key;
    for (const step of steps) {
      const answer = await service.client.post(`${RUNTIME}/${body.session_id}/step`, { node_key, ...step });
      expect(answer.status).toBe(200);
      node_key = answer.body.node?.key;
    }
    return body.session_id as string;
  }

  async function compare(fromMs = 86_400_000 * 40, flowId?: string) {
    await service.app.get(Transactions).runOnSnapshot(async (manager) => {
      const now = await readTime(manager);
      const span = { workspaceId: acme.id, flowId, from: new Date(now.getTime() - fromMs), to: now, now };
      const counted = {
        facts: await countFacts(span, manager),
        days: await countDays(span, manager),
        customers: await countCustomers(span, manager),
      };
      expect(sorted(counted)).toEqual(sorted(await plainCount(span, manager)));
    });
  }

  const go = { action: 'continue' };
  const because = (option: string) => ({ action: 'answer', option });

  it('of a few sessions', async () => {
    const offer = await acme.offer();
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    await walk(flow, 'jo', go, because('other'), { action: 'accept' });
    await walk(flow, 'jo', go, because('other'));
    await walk(flow, 'al', go, because('other'), { action: 'decline' }, { action: 'confirm' });
    await walk(flow, undefined, { action: 'keep' });
    await walk(flow, undefined);
    await walk(flow, 'al');
    await compare();
    await compare(undefined, flow.id);
  });
});
