import { type Language, LANGUAGES } from '../../platform/text/languages';
import { chosenLanguage, ourLanguageFor } from './choice';
import { EXIT_WORDS, filled } from './exit-words';

const FILLED = { product: 'Acme Pro', minutes: 17, email: 'ada@example.com' };

/** Every text by the path to it; those with something to fill in are filled. */
function textsOf(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
    return typeof value === 'string'
      ? [[path + name, filled(value, FILLED)]]
      : textsOf(value as object, `${path}${name}.`);
  });
}

const inLanguage = (language: Language) => new Map(textsOf(EXIT_WORDS[language]));
const others = LANGUAGES.filter((language) => language !== 'en');

describe('The words of the exit page', () => {
  const english = inLanguage('en');

  it.each(others)('are complete, filled and translated in "%s"', (language) => {
    const texts = inLanguage(language);
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    expect([...texts].filter(([, text]) => text === '' || text.trim() !== text)).toEqual([]);
    // A single word may be the same in two languages.
    expect([...texts].filter(([path, text]) => text.includes(' ') && text === english.get(path))).toEqual([]);
  });

  it.each(LANGUAGES)('have in "%s" what is filled in, and an example of an address', (language) => {
    const texts = inLanguage(language);
    expect(texts.get('receipt.subject')).toContain(FILLED.product);
    expect(texts.get('receipt.alsoByMail')).toContain(FILLED.email);
    expect(texts.get('tooMany')).toContain(`${FILLED.minutes}`);
    expect(texts.get('noEmail')).toContain('name@example.com');
  });

  it.each(LANGUAGES)('tell in "%s" a termination from a withdrawal', (language) => {
    const { title, other, effect, button, receipt } = EXIT_WORDS[language];
    for (const words of [title, other, effect, button, receipt.title, receipt.kinds])
      expect(words.termination).not.toBe(words.withdrawal);
  });

  it('are those of the German law on the German button', () => {
    expect(EXIT_WORDS.de.button.termination).toBe('jetzt kündigen');
  });
});

describe('The language of the exit page', () => {
  it.each([
    ['he', 'de', 'he'],
    [undefined, 'pt-BR,en;q=0.5', 'pt'],
    [undefined, 'zh-CN', 'zh-Hans'],
    ['valueOf', 'zh-TW', 'en'],
    ['de-AT', 'fr', 'de'],
    ['DE', 'fr', 'de'],
    ['ru', 'fr', 'fr'],
    [undefined, undefined, 'en'],
  ])('for lang=%s and Accept-Language: %s is %s', (asked, accepted, language) => {
    expect(chosenLanguage(asked, accepted)).toBe(language);
  });
});

describe('The language of a receipt', () => {
  it.each([
    ['de-AT', 'en', 'de'],
    ['sv', 'de', 'sv'],
    ['en', 'de', 'en'],
    ['da', 'fr-CA', 'fr'],
    ['fr-CA', 'fr', 'fr'],
    ['da', 'tlh', 'en'],
    ['de', 'de', 'de'],
  ])('for a session in %s of a flow in %s is %s', (locale, own, language) => {
    expect(ourLanguageFor(locale, own)).toBe(language);
  });
});
