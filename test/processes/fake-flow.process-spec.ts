import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import type { Flow, View } from '../../client/headless/flow';
import type { FakeOptions } from '../../client/testing/browser/options';

const BUILT = resolve('client/dist/cjs/testing/browser/index.js');
interface Kit {
  fakeFlow: (yaml: string, options?: FakeOptions) => Flow;
}

const { fakeFlow } = require(BUILT) as Kit;

const document = () => ({
  settings: { primary_color: '#123456', logo_url: 'https://acme.example/logo.svg' },
  audiences: [{ key: 'loyal', name: 'Loyal', when: { all: [{ attribute: 'years', is: '>=', value: 2 }] } }],
  offers: [
    {
      key: 'half',
      name: 'Half',
      offer_type: 'discount_percentage',
      terms: { percent_off: 50, duration: 'once' },
      image: { file: './half.png', alt: 'Half' },
      points: ['One'],
      translations: { de: { heading: 'Halb' } },
    },
    { key: 'gone', name: 'Gone', offer_type: 'custom', status: 'archived' },
  ],
  flows: [
    {
      key: 'leaving',
      name: 'Leaving',
      product_name: 'Acme',
      cancellation_url: 'https://acme.example/cancel',
      flow_mode: 'advanced',
      locale: 'en',
      definition: { entry: 'why', nodes: structuredClone(NODES) },
    },
    {
      key: 'simple',
      name: 'Simple',
      product_name: 'Acme',
      offer_keys: ['half'],
      survey: { title: 'Why?', options: [{ value: 'a', label: 'A' }] },
    },
  ],
});

const NODES = [
  {
    key: 'why',
    type: 'survey',
    config: {
      title: 'Why?',
      options: [{ value: 'a', label: 'A' }],
      translations: { de: { title: 'Warum?' } },
    },
    next: 'who',
  },
  {
    key: 'who',
    type: 'branch',
    config: {
      ways: [{ when: { any: [{ audience_key: 'loyal' }, { fact: 'months', is: '>=', value: 6 }] }, next: 'gone' }],
    },
    next: 'draw',
  },
  { key: 'gone', type: 'offer', config: { offer_key: 'gone' }, next: 'half' },
  { key: 'half', type: 'offer', config: { offer_key: 'half' }, next: 'draw' },
  {
    key: 'draw',
    type: 'split',
    config: {
      ways: [
        { name: 'a', weight: 1, next: 'sure' },
        { name: 'b', weight: 1, next: 'score' },
      ],
    },
  },
  { key: 'score', type: 'custom', config: { title: 'A score?', kind: 'nps', data: { scale: 10 } }, next: 'sure' },
  { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
];

type Part = Record<string | number, unknown>;

/** Each place in a value, by its path. */
const placesIn = (value: unknown, path: (string | number)[] = []): (string | number)[][] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => placesIn(part, [...path, name]))
    : []),
];

/** The document with something else at a place. */
function changed(path: (string | number)[], value: unknown): unknown {
  if (path.length === 0) return value;
  const whole = document() as Part;
  const parent = path.slice(0, -1).reduce<Part>((part, name) => part[name] as Part, whole);
  parent[path.at(-1)!] = value;
  return whole;
}

/** What the flow shows once it has come to rest. */
const atRest = (flow: Flow) =>
  new Promise<View>((found) => {
    const look = () => {
      const view = flow.getView();
      if (view.type === 'nothing' || view.type === 'starting' || ('busy' in view && view.busy)) return;
      end();
      found(view);
    };
    const end = flow.subscribe(look);
    look();
  });

/** The keys of the nodes that a customer sees who always goes on, to the end. */
async function pathOf(options: FakeOptions, make = fakeFlow): Promise<string> {
  const flow = make(JSON.stringify(document()), options);
  const seen: string[] = [];
  flow.start();
  for (;;) {
    const view = await atRest(flow);
    if (view.type !== 'node') return [...seen, view.type].join(' ');
    seen.push(view.node.key);
    const { type } = view.node;
    if (type === 'survey') flow.take({ action: 'answer', option: 'a' });
    else if (type === 'offer') flow.take({ action: 'decline' });
    else flow.take({ action: type === 'confirm' ? 'confirm' : 'answer' });
  }
}

describe('A fake flow', () => {
  it('is refused in words, or walked through, whatever stands at any place of its document', () => {
    const values = [undefined, null, true, -1, 'x', '', [], [null], [[]], {}];
    const others: string[] = [];
    let refused = 0;
    for (const path of placesIn(document())) {
      for (const value of values) {
        for (const flow of ['leaving', 'simple']) {
          try {
            fakeFlow(JSON.stringify(changed(path, value)) ?? '', { flow });
          } catch (error) {
            const { message } = error as Error;
            if (/^The document can't be used\.\n(It|\/)/.test(message)) refused++;
            else others.push(`${path.join('/')} ${JSON.stringify(value)}: ${message}`);
          }
        }
      }
    }
    expect(others).toEqual([]);
    expect(refused).toBeGreaterThan(1000);
  });

  it.each<[string, (string | number)[], unknown, string]>([
    ['a field that is written wrong', ['flows', 0, 'titel'], 'x', '/flows/0/titel is not a known field'],
    ['a node that is not there', ['flows', 0, 'definition', 'nodes', 0, 'next'], 'x', '/next is not the key of a node'],
    ['an offer that is not there', ['flows', 1, 'offer_keys'], ['x'], '/offer_keys/0 is no offer of the document'],
    ['a key that is there twice', ['offers', 1, 'key'], 'half', '/offers/1/key is given twice'],
    ['no language', ['offers', 0, 'translations'], { x: {} }, '/offers/0/translations/x must be a language tag'],
    ['a language twice', ['offers', 0, 'translations'], { de: {}, DE: {} }, '/offers/0/translations/DE is given twice'],
    [
      'a value that fits no comparison',
      ['audiences', 0, 'when', 'all', 0, 'value'],
      'x',
      'value must be a number for >=',
    ],
    ['terms that go with another type', ['offers', 0, 'terms'], { months: [1, 2] }, '/offers/0/terms/'],
    ['a survey without options', ['flows', 1, 'survey', 'options'], [], '/flows/1/survey/options must NOT have fewer'],
    ['a colour that is none', ['settings', 'primary_color'], 'red', '/settings/primary_color does not have the form'],
  ])('says where the document has %s', (_, path, value, message) => {
    const flow = path[0] === 'flows' && path[1] === 1 ? 'simple' : 'leaving';
    expect(() => fakeFlow(JSON.stringify(changed(path, value)), { flow })).toThrow(message);
  });

  it.each<[string, string, FakeOptions, string]>([
    ['no YAML', 'a: [', {}, 'It is no YAML: '],
    ['a flow that is not there', JSON.stringify(document()), { flow: 'x' }, '/flows has no "x", only leaving, simple'],
    ['no language', JSON.stringify(document()), { locale: 'de_AT' }, '/locale must be a language tag'],
    [
      'an arm that is not there',
      JSON.stringify(document()),
      { arm: { draw: 'c' } },
      '/arm/draw must be the name of an arm',
    ],
    [
      'a fact that is none',
      JSON.stringify(document()),
      { customer: { facts: { month: 1 } } },
      '/customer/facts/month is no',
    ],
  ])('says what is wrong with %s', (_, yaml, options, message) => {
    expect(() => fakeFlow(yaml, options)).toThrow(message);
  });

  it.each<[string, FakeOptions, string]>([
    ['an attribute', { customer: { attributes: { years: 2 } } }, 'why half sure canceled'],
    ['a fact', { customer: { facts: { months: 6 } } }, 'why half sure canceled'],
    ['neither', {}, 'why sure canceled'],
    ['the other arm', { arm: { draw: 'b' } }, 'why score sure canceled'],
  ])('leads by %s, past offers that are archived', async (_, options, path) => {
    expect(await pathOf({ ...options, arm: { draw: 'a', ...options.arm } })).toBe(path);
  });

  it('draws the same arm for a customer each time, and each arm for some', async () => {
    const drawn = async (id: string) => pathOf({ customer: { id } });
    const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
    const first = await Promise.all(ids.map(drawn));
    expect(await Promise.all(ids.map(drawn))).toEqual(first);
    expect(new Set(first)).toEqual(new Set(['why sure canceled', 'why score sure canceled']));
  });

  it('says that it is none, in the same object until it changes, with the pictures of the document', async () => {
    const flow = fakeFlow(JSON.stringify(document()), { flow: 'simple', locale: 'DE', cancelUrl: '/bye' });
    flow.start();
    expect(await atRest(flow)).toMatchObject({ isLocal: true });
    expect(flow.getView()).toBe(flow.getView());
    flow.take({ action: 'continue' });
    await atRest(flow);
    flow.take({ action: 'answer', option: 'a' });
    expect(await atRest(flow)).toMatchObject({ node: { config: { heading: 'Halb', image: { url: './half.png' } } } });
    expect(flow.branding()).toEqual(document().settings);
    flow.leave();
    expect(await atRest(flow)).toMatchObject({ type: 'canceled', url: '/bye', isLocal: true });
  });

  it('refuses a step that the service would refuse, and says why on the console', async () => {
    const warned = jest.spyOn(console, 'warn').mockReturnValue();
    const flow = fakeFlow(JSON.stringify(document()), { arm: { draw: 'b' } });
    flow.start();
    await atRest(flow);
    flow.take({ action: 'answer', option: 'a' });
    await atRest(flow);
    flow.take({ action: 'answer', result: 'ä'.repeat(1100) });
    expect(await atRest(flow)).toMatchObject({ node: { key: 'score' }, alert: 'not_sent' });
    expect(warned.mock.calls.join()).toContain('/result must be JSON of at most 2048 bytes');
    warned.mockRestore();
  });

  it('runs where there are only timers, as in a test environment that is no browser', async () => {
    const few = {
      console,
      setTimeout,
      clearTimeout,
      performance,
      queueMicrotask,
      AbortController,
      module: { exports: {} },
    };
    runInContext(readFileSync(BUILT, 'utf8'), createContext(few));
    const { fakeFlow: made } = few.module.exports as Kit;
    expect(await pathOf({ customer: { id: '1' } }, made)).toBe(await pathOf({ customer: { id: '1' } }));
  });
});
