import { detailsIn } from './change-words';

describe('The details of a change', () => {
  it.each([
    [{}, ''],
    [{ fields: ['name', 'heading'], version: 4 }, 'fields: name, heading; version: 4'],
    [{ from: 'editor', to: 'owner' }, 'from: editor; to: owner'],
    [{ note: null, parts: { a: 1 } }, 'parts: {"a":1}'],
  ])('%j are in words: %s', (details, words) => expect(detailsIn(details)).toBe(words));
});
