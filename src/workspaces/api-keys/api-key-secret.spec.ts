import { createKey, isKey, storedForm } from './api-key-secret';

describe('An API key', () => {
  it.each(['live', 'test'] as const)('is rf_%s_, 43 random characters and a checksum of 6', (kind) => {
    const keys = Array.from({ length: 100 }, () => createKey(kind));
    for (const key of keys) expect(key).toMatch(new RegExp(`^rf_${kind}_[0-9A-Za-z]{49}$`));
    expect(new Set(keys).size).toBe(100);
    expect(keys.every(isKey)).toBe(true);
  });

  it('is recognised as mistyped when any one character differs', () => {
    const key = createKey('live');
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(isKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it('is stored as its SHA-256, its beginning and its last four characters', () => {
    const key = createKey('live');
    expect(storedForm(key)).toEqual({ hash: expect.any(Buffer), prefix: key.slice(0, 12), last_four: key.slice(-4) });
    expect(storedForm(key).hash).toHaveLength(32);
  });
});
