import { generateKeyPairSync } from 'node:crypto';
import { isPublicKey } from './public-key';

const bytesOf = (hex: string) => Buffer.from(hex, 'hex');

describe('A public key of a workspace', () => {
  it('is one that Node makes', () => {
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    expect(isPublicKey(Buffer.from(x!, 'base64url'))).toBe(true);
  });

  it.each([
    ['of order 1', `01${'00'.repeat(31)}`],
    ['of order 2', `ec${'ff'.repeat(30)}7f`],
    ['of order 4', '00'.repeat(32)],
    ['of order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
    ['written in another way than the one of RFC 8032', `ee${'ff'.repeat(30)}7f`],
    ['beside the curve', `02${'00'.repeat(31)}`],
  ])('is no point %s', (_, hex) => {
    expect(isPublicKey(bytesOf(hex))).toBe(false);
  });
});
