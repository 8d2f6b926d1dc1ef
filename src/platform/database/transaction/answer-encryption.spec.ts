import { randomUUID } from 'node:crypto';
import { decrypt, encrypt, secretsOf } from './answer-encryption';

const ACME = randomUUID();
const KEY = 'creation of 2027-01-31';
const SECRETS = secretsOf(ACME, KEY);
const TEXT = JSON.stringify({ id: randomUUID(), name: 'Rückgewinnung', key: 'rf_live_1' });

describe('The stored answer of a creation', () => {
  it('is read with the key and workspace that it was written with', () => {
    expect(decrypt(encrypt(TEXT, SECRETS), secretsOf(ACME, KEY))).toBe(TEXT);
  });

  it('holds neither the text nor the key, and is another each time', () => {
    const [one, another] = [encrypt(TEXT, SECRETS), encrypt(TEXT, SECRETS)];
    expect(one.equals(another)).toBe(false);
    for (const secret of ['rf_live_1', 'name', KEY]) expect(one.includes(secret)).toBe(false);
    expect(one.includes(SECRETS.hash)).toBe(false);
  });

  it('is not read with the key of another workspace, or with another key', () => {
    for (const other of [secretsOf(randomUUID(), KEY), secretsOf(ACME, `${KEY}!`)]) {
      expect(other.hash.equals(SECRETS.hash)).toBe(false);
      expect(() => decrypt(encrypt(TEXT, SECRETS), other)).toThrow();
    }
  });

  it('is not read with what the table holds', () => {
    const { hash } = SECRETS;
    expect(() => decrypt(encrypt(TEXT, SECRETS), { encryptionKey: hash })).toThrow();
  });

  it('is not read after somebody changed one bit of it, wherever', () => {
    const answer = encrypt(TEXT, SECRETS);
    for (let at = 0; at < answer.length; at++) {
      const changed = Buffer.from(answer);
      changed[at] ^= 1;
      expect(() => decrypt(changed, SECRETS)).toThrow();
    }
  });
});
