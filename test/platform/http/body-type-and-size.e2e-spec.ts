import { expectProblem } from '../../support/problem';
import { serviceForAll, workspaceForEach } from '../../support/service';
import { expectRefusal } from './refusal';

const OFFERS = '/api/v1/public/offers';
const OWN = '/api/v1/public/workspace';
const INIT = '/api/v1/runtime/session/init';
const KIB = 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

const offer = { name: 'Half price', offer_type: 'custom' };

/** A JSON body of exactly this many bytes. White space is part of JSON. */
const ofSize = (body: object, bytes: number): string => JSON.stringify(body).padEnd(bytes, ' ');

describe('A request body', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  /** Sends the body as it is. */
  const post = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
    acme.client.send('POST', OFFERS, { headers, body });

  it('is refused with 400 when it is required and empty or missing', async () => {
    for (const headers of [JSON_TYPE, undefined]) {
      for (const [method, path] of [
        ['POST', OFFERS],
        ['PUT', OWN],
        ['POST', INIT],
      ]) {
        await expectRefusal(acme, await acme.client.send(method, path, { headers }), 400, 'invalid_request');
      }
    }
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'name=A&offer_type=custom'],
    ['a form with files', 'multipart/form-data; boundary=x', '--x--'],
    ['text', 'text/plain', JSON.stringify(offer)],
    ['text with a character set', 'text/plain; charset=utf-8', JSON.stringify(offer)],
    ['an old name of JSON', 'text/json', JSON.stringify(offer)],
    ['a JSON patch', 'application/json-patch+json', '[]'],
    ['not a media type', 'json', JSON.stringify(offer)],
    ['an empty type', '', JSON.stringify(offer)],
    ['two types', 'text/plain, application/json', JSON.stringify(offer)],
  ])('is refused with 415 when its Content-Type is not JSON: %s', async (_, type, body) => {
    const response = await post(body, { 'content-type': type });
    await expectRefusal(acme, response, 415, 'unsupported_media_type');
    const init = await service.client.send('POST', INIT, { headers: { 'content-type': type }, body });
    expect(init.status).toBe(415);
    expectProblem(init);
  });

  it('is refused with 415 without a Content-Type', async () => {
    const body = new TextEncoder().encode(JSON.stringify(offer));
    await expectRefusal(acme, await post(body, {}), 415, 'unsupported_media_type');
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'])(
    'is accepted with Content-Type %s',
    async (type) => {
      expect((await post(JSON.stringify(offer), { 'content-type': type })).status).toBe(201);
    },
  );

  it('is accepted up to 256 KB, and refused with 413 beyond', async () => {
    await expectRefusal(acme, await post(ofSize(offer, 256 * KIB + 1)), 413, 'payload_too_large');
    expect((await post(ofSize(offer, 256 * KIB))).status).toBe(201);
  });

  it('is accepted up to 16 KB on the runtime interface, and refused with 413 beyond', async () => {
    const init = (bytes: number) =>
      service.client.send('POST', INIT, { headers: JSON_TYPE, body: ofSize({ flow_slug: 'none-has-it' }, bytes) });
    expect((await init(16 * KIB)).body.code).toBe('flow_not_found');
    await expectRefusal(acme, await init(16 * KIB + 1), 413, 'payload_too_large');
  });

  it.each([
    ['{"dry_run":true}', '/dry_run', 'is not a known field'],
    ['[]', '', 'must be empty here'],
    ['null', '', 'must be empty here'],
    ['"text"', '', 'must be empty here'],
  ])('is refused with 400 by operations that take none: %s', async (body, pointer, message) => {
    const { id } = await acme.offer();
    const response = await acme.client.send('DELETE', `${OFFERS}/${id}`, { headers: JSON_TYPE, body });
    expect([response.status, response.body.errors]).toEqual([400, [{ pointer, message }]]);
    expect((await acme.client.get(OFFERS)).body.offers.length).toBe(1);
  });

  it('may be an empty object for operations that take none, because many clients send one', async () => {
    const { id } = await acme.offer();
    expect((await acme.client.sendJson('DELETE', `${OFFERS}/${id}`, {})).status).toBe(200);
    const flow = await acme.flow();
    const preview = (body: object | undefined) =>
      acme.client.sendJson('POST', `/api/v1/public/flows/${flow.id}/preview`, body, {
        'idempotency-key': 'the-same-with-and-without-a-body',
      });
    const [first, again] = [await preview({}), await preview(undefined)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.session_id).toBe(first.body.session_id);
  });

  it('is not needed by operations that take none, even with Content-Type JSON', async () => {
    expect((await acme.client.get(OFFERS, JSON_TYPE)).status).toBe(200);
    const { id } = await acme.offer();
    expect((await acme.client.delete(`${OFFERS}/${id}`, JSON_TYPE)).status).toBe(200);
  });
});
