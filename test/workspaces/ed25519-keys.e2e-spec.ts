import { CUSTOMER_KEYS, keyPair } from '../support/customer-token';
import { serviceForAll, workspaceForEach } from '../support/service';

/** 32 bytes from their first and last one, in hex. */
const zeros = (first: string, last: string) => first + '00'.repeat(30) + last;
const ff = (first: string, last: string) => first + 'ff'.repeat(30) + last;
/** The y of the points of order 8, without its last byte, which also has the sign. */
const Y8 = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc';
const MINUS_Y8 = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03';

describe('The public key of a customer key', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const jwkOf = (hex: string) => ({ kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') });
  const create = (public_key: object) =>
    acme.client.post(CUSTOMER_KEYS, { name: 'Own', algorithm: 'EdDSA', public_key });

  it.each([
    ['is of order 1', zeros('01', '00')],
    ['is of order 2', ff('ec', '7f')],
    ['is of order 4', zeros('00', '00')],
    ['is of order 4, with the other sign', zeros('00', '80')],
    ['is of order 8', `${Y8}05`],
    ['is of order 8, with the other sign', `${Y8}85`],
    ['is of order 8, with the other y', `${MINUS_Y8}7a`],
    ['is of order 8, with the other y and sign', `${MINUS_Y8}fa`],
    ['is of order 1, with a sign', zeros('01', '80')],
    ['is of order 1, as p + 1', ff('ee', '7f')],
    ['is of order 1, as p + 1 with a sign', ff('ee', 'ff')],
    ['is of order 2, with a sign', ff('ec', 'ff')],
    ['is of order 4, as p', ff('ed', '7f')],
    ['is of order 4, as p with a sign', ff('ed', 'ff')],
    ['is larger than p', ff('f0', '7f')],
    ['is the largest number', ff('ff', 'ff')],
    ['is not on the curve', zeros('02', '00')],
  ])('is refused if it %s', async (_, hex) => {
    const { status, body } = await create(jwkOf(hex));
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/public_key/x' })]]);
    expect((await acme.client.get(CUSTOMER_KEYS)).body.customer_keys).toEqual([]);
  });

  it('is taken from every pair that is made', async () => {
    for (let n = 0; n < 10; n++) expect((await create(keyPair().public_key)).status).toBe(201);
  });
});
