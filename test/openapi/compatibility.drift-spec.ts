import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { settingsIn } from '../../scripts/released.mjs';
import { breakingChanges } from './breaking-changes';
import { breaksBetween, type Contract, faultsOf, newestReleased } from './released';

const current = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject;
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const now: Contract = {
  document: current,
  widget: readFileSync('web/widget/v1.d.ts', 'utf8'),
  settings: settingsIn(readFileSync('docs/configuration.md', 'utf8')),
};

const OFFERS = '/api/v1/public/offers';
const OFFER = '/api/v1/public/offers/{id}';
const FLOWS = '/api/v1/public/flows';
const SCHEMAS = [
  'CreateOffer',
  'Offer',
  'OfferType',
  'CreateFlow',
  'FlowDefinition',
  'SessionSavedEvent',
  'SavedSessionData',
];

/** A part of the document that is compared in a moment. */
function part(document: OpenAPIObject): OpenAPIObject {
  return {
    ...document,
    paths: pick(document.paths, [OFFERS, OFFER, FLOWS, '/livez']),
    webhooks: pick(document.webhooks!, ['session.saved']),
    components: { schemas: pick(document.components!.schemas!, SCHEMAS) },
  };
}

describe('The newest version that is kept in test/drift/released', () => {
  const released = newestReleased();

  it('has programs, pages and installations that nothing breaks but what is accepted there, and said in CHANGELOG.md', () => {
    const [since] = changelog.split(`\n## ${released.version}\n`);
    expect(faultsOf(breaksBetween(released, now), released.accepted, since)).toEqual([]);
  });

  it('has a section in CHANGELOG.md, and is the version of the package or older', () => {
    const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, version]) => version);
    expect(versions).toContain(released.version);
    expect(versions[0]).toBe(current.info.version);
    expect(released.version.localeCompare(current.info.version, 'en', { numeric: true })).toBeLessThanOrEqual(0);
  });
});

describe('The guard of released versions', () => {
  const older: Contract = { ...now, document: part(current) };
  const after = (change: (contract: Contract) => unknown) => {
    const changed = structuredClone(older);
    change(changed);
    return breaksBetween(older, changed);
  };
  // oxlint-disable-next-line typescript/no-explicit-any
  const schemas = ({ document }: Contract) => document.components!.schemas as any;

  const CHANGES: [string, (contract: Contract) => unknown][] = [
    ['a field that is removed', (contract) => delete schemas(contract).Offer.properties.name],
    ['a type that is narrowed', (contract) => (schemas(contract).CreateOffer.properties.name.maxLength = 10)],
    ['a new required field', (contract) => schemas(contract).CreateOffer.required.push('metadata')],
    ['an event that is changed', (contract) => delete schemas(contract).SavedSessionData.properties.session],
    ['a setting that goes', ({ settings }) => delete settings.PORT],
    ['another default of a setting', ({ settings }) => (settings.DATABASE_POOL_SIZE = '20')],
    ['a field of the widget that goes', (contract) => replace(contract, '  email?: string;\n', '')],
    ['another type in the widget', (contract) => replace(contract, 'email?: string', 'email?: number')],
    [
      'something new that a page has to give',
      (contract) => replace(contract, '  email?: string', '  name: string;\n  email?: string'),
    ],
    [
      'a function of the widget that goes',
      (contract) => replace(contract, 'export declare function show', 'declare function show'),
    ],
  ];
  const replace = (contract: Contract, from: string, to: string) => {
    expect(contract.widget).toContain(from);
    contract.widget = contract.widget.replace(from, to);
  };

  it.each(CHANGES)('sees %s', (_, change) => {
    expect(after(change)).not.toEqual([]);
  });

  it('lets pass what adds to the widget and to the settings', () => {
    const added = after((contract) => {
      replace(contract, '  email?: string', '  name?: string;\n  email?: string');
      contract.settings.NEW = 'none';
    });
    expect(added).toEqual([]);
  });

  it('lets pass what is accepted and said in the changelog, and nothing else', () => {
    const accepted = [{ break: 'setting: PORT is gone', changelog: '`PORT` is no setting.' }];
    const said = '## Unreleased\n\nBreaking:\n\n- `PORT` is no\n  setting.\n\nAdded:\n\n- x\n\n## 0.9.0\n';
    const breaks = ['setting: PORT is gone'];
    expect(faultsOf(breaks, accepted, said)).toEqual([]);
    expect(faultsOf([...breaks, 'setting: HOST is gone'], accepted, said)).toEqual(['setting: HOST is gone']);
    expect(faultsOf([], accepted, said)).toEqual(['accepted, but no break: setting: PORT is gone']);
    expect(faultsOf(breaks, accepted, said.replace('Breaking:', 'Changed:'))).toHaveLength(1);
  });
});

describe('A breaking change', () => {
  /** A part of the document that a change can be made in. */
  // oxlint-disable-next-line typescript/no-explicit-any
  type Json = any;

  function after(change: (document: Json, schemas: Json) => void): string[] {
    const before = part(current);
    const changed = structuredClone(before);
    change(changed, changed.components!.schemas);
    return breakingChanges(before, changed);
  }

  const BREAKS: [string, (document: Json, schemas: Json) => void][] = [
    ['a path that goes', ({ paths }) => delete paths[OFFERS]],
    ['a method that goes', ({ paths }) => delete paths[OFFERS].post],
    ['another status', ({ paths }) => rename(paths[OFFERS].post.responses, '201', '200')],
    ['a header that goes', ({ paths }) => delete paths[OFFERS].post.responses['201'].headers.Location],
    ['a parameter that goes', ({ paths }) => paths[OFFERS].get.parameters.pop()],
    ['a parameter that is required', ({ paths }) => (paths[OFFERS].get.parameters[0].required = true)],
    ['a key that is required', ({ paths }) => (paths['/livez'].get.security = [{ 'API key': [] }])],
    ['a method of the client with another name', ({ paths }) => (paths[OFFERS].get.operationId = 'offers_all')],
    ['a field of a request of another type', (_, { CreateOffer }) => (CreateOffer.properties.name.type = 'integer')],
    ['a field of a request with another pattern', (_, { CreateOffer }) => (CreateOffer.properties.name.pattern = 'x')],
    ['a field of a request that goes', (_, { CreateOffer }) => delete CreateOffer.properties.metadata],
    ['a field of a request that is required', (_, { CreateOffer }) => CreateOffer.required.push('metadata')],
    ['a field of a request that may be shorter', (_, { CreateOffer }) => (CreateOffer.properties.name.maxLength = 10)],
    ['a value that is refused', (_, { OfferType }) => OfferType.enum.pop()],
    ['a field of a response that goes', (_, { Offer }) => delete Offer.properties.name],
    ['a field of a response that may be missing', (_, { Offer }) => Offer.required.shift()],
    ['a field of a response of another type', (_, { Offer }) => (Offer.properties.name.type = 'integer')],
    ['a field of a response that may be null', (_, { Offer }) => (Offer.properties.name.type = ['string', 'null'])],
    ['a field of an event that goes', (_, { SavedSessionData }) => delete SavedSessionData.properties.session],
    ['an event that goes', ({ webhooks }) => delete webhooks['session.saved']],
  ];

  it.each(BREAKS)('is %s', (_, change) => {
    expect(after(change)).not.toEqual([]);
  });

  const EXTENSIONS: [string, (document: Json, schemas: Json) => void][] = [
    ['nothing', () => {}],
    ['a new path', ({ paths }) => (paths['/api/v1/public/new'] = paths[OFFERS])],
    ['a new optional parameter', ({ paths }) => paths[OFFERS].get.parameters.push({ ...PARAMETER })],
    ['a new optional field of a request', (_, { CreateOffer }) => (CreateOffer.properties.new = { type: 'string' })],
    ['a new field of a response', (_, { Offer }) => (Offer.properties.new = { type: 'string' })],
    ['a new field of an event', (_, { SavedSessionData }) => (SavedSessionData.properties.new = { type: 'string' })],
    ['a new value of a response', (_, { OfferType }) => OfferType.enum.push('new')],
    ['a new type of node', (_, { FlowDefinition }) => FlowDefinition.properties.nodes.items.oneOf.push({ ...NODE })],
    ['a new error', ({ paths }) => (paths[OFFERS].get.responses['409'] = { description: 'Conflict' })],
    ['a longer list in a response', (_, { Offer }) => Offer.properties.points.maxItems++],
    ['a field more in an example', ({ webhooks }) => (exampleOf(webhooks['session.saved']).new = 1)],
    ['other words', (_, { Offer }) => (Offer.properties.name.description = 'Its name.')],
  ];
  const exampleOf = ({ post }: Json) => Object.values<Json>(post.requestBody.content)[0].example;
  const PARAMETER = { name: 'new', in: 'query', schema: { type: 'string' } };
  const NODE = { type: 'object', properties: { type: { type: 'string', enum: ['new'] } } };

  it.each(EXTENSIONS)('is not %s', (_, change) => {
    expect(after(change)).toEqual([]);
  });
});

function pick<T extends object>(object: T, keys: string[]): T {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key))) as T;
}

function rename(object: Record<string, unknown>, from: string, to: string): void {
  object[to] = object[from];
  delete object[from];
}
