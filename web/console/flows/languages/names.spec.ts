import { isLanguage, languageNamed } from './names';

it.each([
  ['German', 'de'],
  ['german (DE)', 'de'],
  ['Klingonese', undefined],
])('The language %s is %s', (name, tag) => expect(languageNamed(name)).toBe(tag));

it('A tag of more than three letters is of no language', () => {
  expect(['de', 'pt-BR', 'german'].map(isLanguage)).toEqual([true, true, false]);
});
