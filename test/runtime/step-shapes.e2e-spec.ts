import Ajv2020 from 'ajv/dist/2020';
import { DOCUMENT } from '../support/contract';
import { serviceForAll, type Tenant } from '../support/service';

const SESSION = '/api/v1/runtime/session';
const START = { node_key: 'start', action: 'continue' };
const REASON = { node_key: 'reason', action: 'answer', option: 'other' };
const DECLINE = { node_key: 'offer_1', action: 'decline' };

/** The steps to each node. */
const WAYS = { start: [], reason: [START], offer_1: [START, REASON], confirm: [START, REASON, DECLINE] };
const PLACES = Object.keys(WAYS) as (keyof typeof WAYS)[];

/** The actions that a node takes, each with a step that is right. */
const RIGHT: Record<keyof typeof WAYS, object[]> = {
  start: [START],
  reason: [REASON, { ...REASON, comment: 'Too dear.' }],
  offer_1: [DECLINE, { node_key: 'offer_1', action: 'accept' }],
  confirm: [{ node_key: 'confirm', action: 'confirm' }],
};
const ANYWHERE = ['keep', 'cancel'].flatMap((action) => [{ action }, { action, node_key: 'start' }]);

/** A step with one field missing or one too many, and the field. */
const WRONG: [place: keyof typeof WAYS, step: object, field: string][] = [
  ['start', { action: 'continue' }, 'node_key'],
  ['start', { ...START, option: 'other' }, 'option'],
  ['start', { ...START, comment: 'Too dear.' }, 'comment'],
  ['reason', { action: 'answer', option: 'other' }, 'node_key'],
  ['reason', { node_key: 'reason', action: 'answer' }, 'option'],
  ['reason', { node_key: 'reason', action: 'answer', comment: 'Too dear.' }, 'option'],
  ['offer_1', { action: 'accept' }, 'node_key'],
  ['offer_1', { ...DECLINE, option: 'other' }, 'option'],
  ['offer_1', { ...DECLINE, comment: 'No.' }, 'comment'],
  ['offer_1', { ...DECLINE, months: 1 }, 'months'],
  ['start', { ...START, months: 1 }, 'months'],
  ['reason', { action: 'keep', months: 1 }, 'months'],
  ['confirm', { action: 'confirm' }, 'node_key'],
  ['confirm', { node_key: 'confirm', action: 'confirm', option: 'other' }, 'option'],
  ['reason', { action: 'keep', option: 'other' }, 'option'],
  ['reason', { action: 'cancel', comment: 'Too dear.' }, 'comment'],
  ['start', { node_key: 'start' }, 'action'],
  ['start', { node_key: 'start', action: 'go' }, 'action'],
];

describe('The document of a step', () => {
  const service = serviceForAll();
  let acme: Tenant;
  let flow: { slug: string };
  let isDocumented: (step: object) => boolean;

  beforeAll(async () => {
    acme = await service.workspace();
    flow = await acme.publishedFlow({ offer_ids: [(await acme.offer()).id] });
    const schemas = structuredClone(DOCUMENT.components!.schemas!);
    for (const schema of Object.values(schemas))
      Object.assign(schema, 'properties' in schema && { additionalProperties: false });
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    isDocumented = ajv.compile({ $ref: '#/components/schemas/Step', components: { schemas } });
  });

  async function take(place: keyof typeof WAYS, step: object) {
    const { session_id: id } = (await service.client.post(`${SESSION}/init`, { flow_slug: flow.slug })).body;
    for (const one of WAYS[place]) await service.client.post(`${SESSION}/${id}/step`, one);
    return service.client.post(`${SESSION}/${id}/step`, step);
  }

  it.each(PLACES.flatMap((place) => [...RIGHT[place], ...ANYWHERE].map((step) => [place, step] as const)))(
    'has what the service takes: at %s %j',
    async (place, step) => {
      expect([isDocumented(step), (await take(place, step)).status]).toEqual([true, 200]);
    },
  );

  it.each(WRONG)(
    'has nothing that the service refuses, but an answer whose survey asks for another: at %s %j, with one error at /%s',
    async (place, step, field) => {
      const { status, body } = await take(place, step);
      const dependsOnSurvey = 'action' in step && step.action === 'answer' && field === 'option';
      expect([isDocumented(step), status, body.errors]).toEqual([
        dependsOnSurvey && !('option' in step),
        400,
        [{ pointer: `/${field}`, message: expect.any(String) }],
      ]);
    },
  );
});
