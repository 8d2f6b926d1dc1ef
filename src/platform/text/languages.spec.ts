import {
  canonicalTag,
  inFirst,
  isRightToLeft,
  LANGUAGES,
  languagesFor,
  languagesOfOffers,
  preferredTag,
} from './languages';

describe('A language tag', () => {
  it.each([
    ['DE-at', 'de-AT'],
    ['zh-hans-cn', 'zh-Hans-CN'],
    ['iw', 'he'],
    ['en', 'en'],
  ])('%s is %s in canonical form', (tag, canonical) => expect(canonicalTag(tag)).toBe(canonical));

  it.each(['', ' ', 'd', 'de_AT', 'de-', 'de at', '*', '12', 'a'.repeat(36), 'de-'.padEnd(40, 'x1234567-')])(
    'is not "%s"',
    (tag) => expect(canonicalTag(tag)).toBeUndefined(),
  );

  it('is canonical for each of our languages', () => expect(LANGUAGES.map(canonicalTag)).toEqual(LANGUAGES));
});

describe('Accept-Language', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['*', undefined],
    ['de-CH', 'de-CH'],
    ['en;q=0.8, DE-ch;q=0.9, *;q=0.1', 'de-CH'],
    ['fr, de', 'fr'],
    ['fr;q=0, de;q=0.1', 'de'],
    ['not_a_tag, ja; q=0.5', 'ja'],
    [';;;,,q=', undefined],
    ['de;q=x', undefined],
    [`${'!,'.repeat(9)}de`, 'de'],
    [`${'!,'.repeat(10)}de`, undefined],
  ])('%s prefers %s', (header, tag) => expect(preferredTag(header)).toBe(tag));
});

describe('The languages to look for words in', () => {
  it.each([
    ['de', 'en', ['de', 'de-Latn', 'de-Latn-*']],
    ['de-AT', 'en', ['de-AT', 'de-Latn', 'de', 'de-Latn-*']],
    ['zh-CN', 'en', ['zh-CN', 'zh-Hans', 'zh', 'zh-Hans-*']],
    ['zh-TW', 'en', ['zh-TW', 'zh-Hant', 'zh', 'zh-Hant-*']],
    ['zh-TW', 'zh-CN', ['zh-TW', 'zh-Hant', 'zh', 'zh-Hant-*']],
    ['nb-NO', 'en', ['nb-NO', 'nb-Latn', 'nb', 'no', 'nb-Latn-*']],
    ['no', 'en', ['no', 'no-Latn', 'nb', 'nn', 'no-Latn-*']],
    ['nn', 'nb', ['nn', 'nn-Latn', 'no']],
    ['en', 'en', []],
    ['en-GB', 'en', ['en-GB', 'en-Latn']],
    ['de', 'de-DE', ['de', 'de-Latn']],
    ['en', 'en-GB', ['en', 'en-Latn']],
  ])('for %s in a flow in %s are %j', (locale, own, languages) => expect(languagesFor(locale, own)).toEqual(languages));

  it.each([
    ['de', 'de', ['de']],
    ['de-AT', 'de', ['de-AT', 'de-Latn', 'de']],
    ['fr', 'de', ['fr', 'fr-Latn', 'fr-Latn-*', 'de']],
  ])('of offers for %s in a flow in %s end with those of the flow: %j', (locale, own, languages) =>
    expect(languagesOfOffers(locale, own)).toEqual(languages),
  );

  it('are of another country if there are none of the own, in the same script', () => {
    const translations = { 'zh-TW': '繁', 'zh-SG': '简', 'de-DE': 'Hallo', 'de-AT': 'Servus', no: 'Hei' };
    const wordsFor = (locale: string) => inFirst(languagesFor(locale, 'en'), translations, (words) => words);
    expect(['de', 'de-CH', 'de-DE', 'zh', 'zh-HK', 'nb-NO', 'fr'].map(wordsFor)).toEqual([
      'Servus',
      'Servus',
      'Hallo',
      '简',
      '繁',
      'Hei',
      undefined,
    ]);
  });

  it('are tried text by text: a blank one is none', () => {
    const translations: Record<string, { title: string; body?: string }> = {
      'de-AT': { title: ' ', body: 'Servus' },
      de: { title: 'Hallo' },
    };
    const languages = languagesFor('de-AT', 'en');
    expect(inFirst(languages, translations, ({ title }) => title)).toBe('Hallo');
    expect(inFirst(languages, translations, ({ body }) => body)).toBe('Servus');
    expect(inFirst(['fr'], translations, ({ title }) => title)).toBeUndefined();
    expect(inFirst(languages, undefined, () => 'Hallo')).toBeUndefined();
  });
});

it.each([
  ['he', true],
  ['ar-EG', true],
  ['fa', true],
  ['de', false],
  ['ja', false],
])('%s is written from right to left: %s', (locale, isRtl) => expect(isRightToLeft(locale)).toBe(isRtl));
