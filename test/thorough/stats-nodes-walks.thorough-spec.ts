import fc from 'fast-check';
import type { FlowDefinition, FlowNode } from '../../src/flows/graph/flow-definition';
import type { ExitNumbersDto, NodeNumbersDto } from '../../src/statistics/dto/nodes.dto';
import { DailySums } from '../../src/statistics/sums/daily-sums.service';
import { customerAttributes, definitions, OFFER_IDS } from '../support/definitions';
import { serviceForAll, workspaceForEach } from '../support/service';
import { randomFrom } from '../statistics/histories';
import { accept, cancel, confirm, decline, go, keep, type Step } from '../statistics/walk';

const PUBLIC = '/api/v1/public';
const RUNTIME = '/api/v1/runtime/session';
const FLOWS = 4;
const VISITS = 15;
/** Where sessions are that ended, or stand at a node. */
const END = 'the end';

describe('The numbers of the nodes of random flows, after random walks', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  /** A flow with a random definition, one of whose offers is archived. */
  async function publish(drawn: FlowDefinition) {
    const offers: string[] = [];
    for (const name of OFFER_IDS) offers.push((await acme.offer({ name })).id);
    const text = JSON.stringify(drawn).replaceAll(/offer (\d)/g, (_, index: string) => offers[Number(index)]);
    const definition = JSON.parse(text) as FlowDefinition;
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition });
    const [archived] = offers;
    await acme.client.delete(`${PUBLIC}/offers/${archived}`);
    return { ...flow, definition, archived };
  }

  /** Begins a session and takes random steps until it stops or the session ends. */
  async function visit(slug: string, customer: object, random: () => number): Promise<void> {
    const oneOf = <T>(values: T[]): T => values[Math.floor(random() * values.length)];
    const { body } = await service.client.post(`${RUNTIME}/init`, { flow_slug: slug, customer });
    let node = body.flow.entry_node;
    while (node && random() < 0.9) {
      const steps: Record<string, () => Step & { comment?: string }> = {
        start: () => go,
        survey: () => ({
          action: 'answer',
          ...answerWith(oneOf(node.config.options as { value: string }[]).value, node.config.multiple),
          ...(node.config.comment === 'required' && { comment: 'Well.' }),
        }),
        offer: () => oneOf([accept, decline, decline]),
        confirm: () => confirm,
      };
      const step = random() < 0.1 ? oneOf([keep, cancel]) : steps[node.type]();
      const path = `${RUNTIME}/${body.session_id}/step`;
      const answer = await service.client.post(path, { node_key: node.key, ...step });
      expect(answer.status).toBe(200);
      node = answer.body.node;
    }
  }

  it.each([1, 2, 3])(
    'lose nobody: who came to a node went on, or is there, and who went on came to the next: %i',
    async (seed) => {
      const random = randomFrom(seed);
      for (const drawn of fc.sample(definitions, { numRuns: FLOWS, seed })) {
        const { id, slug, definition, archived } = await publish(drawn);
        for (const [n, attributes] of fc.sample(customerAttributes, { numRuns: VISITS, seed }).entries()) {
          await visit(slug, { id: `cus_${n}`, attributes }, random);
        }
        const numbers = async () =>
          (await acme.client.get(`${PUBLIC}/flows/${id}/stats/nodes`)).body as {
            sessions: number;
            nodes: NodeNumbersDto[];
          };
        const { sessions, nodes } = await numbers();
        expect(sessions).toBe(VISITS);
        const came = new Map([[definition.entry, VISITS]]);
        const bring = (key: string, more: number) => came.set(key, (came.get(key) ?? 0) + more);
        // A node leads only to later ones.
        for (const [index, node] of definition.nodes.entries()) {
          const isPassed = node.type === 'offer' && node.config.offer_id === archived;
          const arrived = came.get(node.key) ?? 0;
          if (isPassed) bring(node.next, arrived);
          const { exits, ...numbers } = nodes[index];
          for (const exit of exits) bring(targetOf(node, exit), exit.sessions);
          const here = isPassed ? 0 : arrived - exits.reduce((sum, exit) => sum + exit.sessions, 0);
          bring(END, here);
          const expected = { sessions: isPassed ? 0 : arrived, in_progress: here, abandoned: 0 };
          expect(numbers).toEqual({ node_key: node.key, type: node.type, ...expected });
        }
        expect(nodes).toHaveLength(definition.nodes.length);
        expect(came.get(END)).toBe(VISITS);
        // All sessions are over, and their day is summed.
        await service.letPass('3 days', acme);
        while (await service.app.get(DailySums).sumNext());
        const later = nodes.map((node) => ({ ...node, in_progress: 0, abandoned: node.in_progress }));
        expect((await numbers()).nodes).toEqual(later);
      }
    },
  );
});

/** One answer, also to a survey that takes several: with more, more would leave than came. */
const answerWith = (option: string, multiple?: boolean) => (multiple ? { options: [option] } : { option });

/** Where an exit leads. */
function targetOf(node: FlowNode, { action, value }: ExitNumbersDto): string {
  if (node.type === 'split') return node.config.ways.find(({ name }) => name === value)!.next;
  if (node.type === 'branch') return value === 'next' ? node.next : node.config.ways[Number(value)].next;
  if (node.type === 'confirm' || action === 'keep' || action === 'cancel' || action === 'accept') return END;
  const option = node.type === 'survey' ? node.config.options.find((one) => one.value === value) : undefined;
  return option?.next ?? node.next;
}
