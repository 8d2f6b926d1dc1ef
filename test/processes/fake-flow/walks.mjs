// Walks through each flow of the document at a service and as a fake, side by side, and prints where they differ.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { RetentionFlow } from '@retention-flow/client';
import { createFlow } from '@retention-flow/client/headless';
import { applyConfig, startService } from '@retention-flow/client/testing';
import { fakeFlow } from '@retention-flow/client/testing/browser';

const WALKS = 60;
const CUSTOMERS = [
  {},
  { years: 5, name: 'Ann', plan: 'pro' },
  { years: 3, plan: 'free', seats: 4 },
  { plan: 'pro', name: '<Bo>' },
];
const LOCALES = [undefined, 'en', 'de-at', 'fr', 'iw'];

/** A step that fits what is shown, chosen by a number. */
function stepAt({ key, type, config }, number) {
  const nth = (list) => list[number % list.length];
  const leaves = number % 23 === 0 && { action: 'keep' };
  switch (type) {
    case 'start':
      return { action: 'continue' };
    case 'survey': {
      const values = config.options.map(({ value }) => value);
      const chosen = config.multiple
        ? { options: [...new Set([nth(values), values[number % 2]])] }
        : { option: nth(values) };
      return {
        action: 'answer',
        ...chosen,
        ...((number % 3 === 0 || config.comment === 'required') && config.comment && { comment: 'Well.' }),
      };
    }
    case 'offer':
      return (
        leaves ||
        nth([
          { action: 'decline' },
          { action: 'decline' },
          { action: 'accept', months: config.months && nth(config.months) },
        ])
      );
    case 'custom':
      return { action: 'answer', ...nth([{}, { result: { score: 9 } }, { result: { score: 3 } }]) };
    case 'confirm':
      return leaves || nth([{ action: 'confirm' }, { action: 'keep' }]);
    default:
      throw new Error(`${key} has the type ${type}`);
  }
}

/** What the flow shows once it has come to rest. */
const atRest = (flow) =>
  new Promise((resolve) => {
    const look = () => {
      const view = flow.getView();
      if (view.type === 'nothing' || view.type === 'starting' || view.busy) return;
      end();
      resolve(view);
    };
    const end = flow.subscribe(look);
    look();
  });

/** The view, but for what is of one service: the ids of its offers, and that a fake says what it is. */
const told = (view) =>
  JSON.parse(JSON.stringify(view, (name, value) => (['id', 'isLocal'].includes(name) ? undefined : value)));

const document = readFileSync('flows.yaml', 'utf8');
const service = await startService();
const { url, workspace } = service;
const seen = new Set();
const differences = [];
try {
  await applyConfig(document, { url, apiKey: workspace.key });
  const rf = new RetentionFlow({ baseUrl: url, apiKey: workspace.key });
  for (const key of ['graph', 'simple']) {
    const [{ slug }] = (await rf.flows.list({ key })).flows;
    for (let walk = 0; walk < WALKS; walk++) {
      const customer = { id: `${key}-${walk}`, attributes: CUSTOMERS[walk % CUSTOMERS.length] };
      const locale = LOCALES[Math.floor(walk / CUSTOMERS.length) % LOCALES.length];
      const both = [
        createFlow({ api: url, flow: slug, customer, locale }),
        fakeFlow(document, { flow: key, customer, locale }),
      ];
      for (const flow of both) flow.start();
      for (let steps = 0; steps < 12; steps++) {
        const views = await Promise.all(both.map(atRest));
        const [real, fake] = views.map(told);
        const isSame = isDeepStrictEqual(real, fake);
        if (!isSame) differences.push({ key, walk, real, fake });
        seen.add(`${key} ${views[0].node?.key ?? views[0].type}`);
        const [{ type, node }] = views;
        if (!isSame || !(node || (type === 'contacted' && walk % 2))) break;
        const number = walk * 7 + steps * 11;
        for (const flow of both) {
          if (!node) flow.leave();
          else if (number % 13 === 0 && steps < 6) {
            // The customer closes the dialog, and goes on later with what is written.
            flow.note({ node_key: node.key, comment: 'So far' });
            flow.close();
            flow.start();
          } else flow.take(stepAt(node, number));
        }
      }
    }
  }
} finally {
  await service.stop();
}
console.log(
  JSON.stringify({
    differences: differences.slice(0, 3),
    seen: [...seen].toSorted((one, other) => (one < other ? -1 : 1)),
  }),
);
