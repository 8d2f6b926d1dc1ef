import { LANGUAGES } from '../../src/platform/text/languages.ts';
import { messagesIn } from './messages.ts';

describe('The messages', () => {
  const english = messagesIn('en');

  it.each(LANGUAGES)('in "%s" are complete', (lang) => {
    const texts = Object.values(messagesIn(lang)) as unknown[];
    expect(texts).toHaveLength(13);
    expect(texts.every((text) => typeof text === 'string' && text.trim() === text && text !== '')).toBe(true);
  });

  it('are translated', () => {
    const texts = LANGUAGES.map((lang) => Object.values(messagesIn(lang)).join());
    expect(new Set(texts).size).toBe(LANGUAGES.length);
  });

  it('are found by language, whatever the region', () => {
    expect(messagesIn('de-AT')).toEqual(messagesIn('de'));
    expect(messagesIn('zh-CN')).toEqual(messagesIn('zh-Hans'));
  });

  it.each([undefined, 'da', 'zh-TW', 'valueof'])('are English for "%s"', (lang) => {
    expect(messagesIn(lang)).toEqual(english);
  });
});
