import { publicKeyIn } from './public-key';

const PUBLIC = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

describe('The public key in a JWK', () => {
  it('comes without the private part and whatever else is in there', () => {
    const jwk = { ...PUBLIC, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', kid: '1', alg: 'EdDSA' };
    expect(publicKeyIn(JSON.stringify(jwk))).toEqual(PUBLIC);
  });

  it.each(['null', '[]', '1', '"key"', '{}'])('is for the service to refuse: %s', (text) =>
    expect(JSON.stringify(publicKeyIn(text))).toBe('{}'),
  );

  it('has to be JSON', () => expect(() => publicKeyIn('-----BEGIN')).toThrow('The public key is not JSON.'));
});
