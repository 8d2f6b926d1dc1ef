import { isNamed, languageNamed } from './names';

it.each([
  ['German', 'de'],
  ['german (DE)', 'de'],
  ['Klingonese', undefined],
])('The language %s is %s', (name, tag) => expect(languageNamed(name)).toBe(tag));

it('A tag without a language is known to have no name', () => {
  expect(['de', 'pt-BR', 'german'].map(isNamed)).toEqual([true, true, false]);
});
