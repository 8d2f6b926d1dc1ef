import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { git, newestRelease } from '../support/releases';
import { breakingChanges } from './breaking-changes';

const current = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenAPIObject;
const majorOf = ({ info }: OpenAPIObject) => Number(info.version.split('.')[0]);

describe('docs/openapi.json', () => {
  it('breaks no program written for the newest release, unless the major version is new', () => {
    const tag = newestRelease();
    // Before the first release, everything may change.
    const released = tag ? (JSON.parse(git('show', `${tag}:docs/openapi.json`)) as OpenAPIObject) : current;
    const isNewMajor = majorOf(current) > majorOf(released);
    expect(isNewMajor ? [] : breakingChanges(released, current)).toEqual([]);
  });

  it('goes with the newest section of CHANGELOG.md', () => {
    const [, version] = /^## (\d+\.\d+\.\d+)/m.exec(readFileSync('CHANGELOG.md', 'utf8'))!;
    expect(version).toBe(current.info.version);
  });
});

describe('A breaking change', () => {
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
  /** A part of the document that a change can be made in. */
  // oxlint-disable-next-line typescript/no-explicit-any
  type Json = any;

  function after(change: (document: Json, schemas: Json) => void): string[] {
    const before = {
      ...current,
      paths: pick(current.paths, [OFFERS, OFFER, FLOWS, '/livez']),
      webhooks: pick(current.webhooks!, ['session.saved']),
      components: { schemas: pick(current.components!.schemas!, SCHEMAS) },
    };
    const changed = structuredClone(before);
    change(changed, changed.components.schemas);
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
    ['other words', (_, { Offer }) => (Offer.properties.name.description = 'Its name.')],
  ];
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
