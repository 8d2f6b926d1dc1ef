import { detailsIn } from './change-words';

describe('The details of a change', () => {
  it.each([
    [{}, ''],
    [{ fields: ['name', 'heading'], version: 4 }, 'fields: name, heading; version: 4'],
    [{ from: 'editor', to: 'owner' }, 'from: editor; to: owner'],
    [
      {
        version: 2,
        before: { terms: { percent_off: 30, duration: 'once' }, accept_url: null, limit: { accepted: 1 } },
        after: { terms: { percent_off: 35, duration: 'once' }, accept_url: 'https://a.example', limit: null },
      },
      'version: 2; percent_off: 30 → 35; accept_url: – → https://a.example; accepted: 1 → –',
    ],
    [{ note: null, parts: { a: 1 } }, 'parts: {"a":1}'],
  ])('%j are in words: %s', (details, words) => expect(detailsIn(details)).toBe(words));
});
