import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { createSecret, sign } from './signature';

/** What a receiver does. It refuses timestamps that are more than 5 minutes from now. */
function verify(secret: string, id: string, timestamp: number, body: string, signature: string): unknown {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
  return new Webhook(secret).verify(body, headers);
}

const now = Math.trunc(Date.now() / 1000);

describe('A signature', () => {
  it('is the one of the specification for a known secret', () => {
    // The example of the Standard Webhooks libraries.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const body = '{"test": 2432232314}';
    expect(sign([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('is verified by a receiver with any of the secrets, and with no other', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.json(), fc.integer({ min: 1, max: 3 }), (id, body, count) => {
        const secrets = Array.from({ length: count }, createSecret);
        const signature = sign(secrets, id, now, body);
        for (const secret of secrets) expect(verify(secret, id, now, body, signature)).toEqual(JSON.parse(body));
        expect(() => verify(createSecret(), id, now, body, signature)).toThrow('No matching signature found');
      }),
    );
  });

  it('is of the id, the time and the body', () => {
    const secret = createSecret();
    const signature = sign([secret], 'id', now, '{"a":"ä😀"}');
    expect(verify(secret, 'id', now, '{"a":"ä😀"}', signature)).toEqual({ a: 'ä😀' });
    for (const [id, timestamp, body] of [
      ['other', now, '{"a":"ä😀"}'],
      ['id', now - 1, '{"a":"ä😀"}'],
      ['id', now, '{"a":"ä"}'],
    ] as const) {
      expect(() => verify(secret, id, timestamp, body, signature)).toThrow('No matching signature found');
    }
  });
});

describe('A secret', () => {
  it('is whsec_ and 32 random bytes in base64', () => {
    const secrets = Array.from({ length: 100 }, createSecret);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Set(secrets).size).toBe(100);
  });
});
