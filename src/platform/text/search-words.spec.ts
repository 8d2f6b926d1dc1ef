import { searchFor, wordsOf } from './search-words';

const ID = '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a';
const words = (text: string) => wordsOf(ID, text).replace(new RegExp(`^'${ID}' ?`), '');
const search = (text: string, by?: 'parts') =>
  searchFor(ID, text, by)
    ?.replace(`'${ID}' & `, '')
    .replace(/^\((.*)\)$/s, '$1');

describe('The words of a text', () => {
  it('are in lower case, each with its places', () => {
    expect(words('Slow, buggy; SLOW')).toBe("'slow':1,3 'buggy':2");
  });

  it.each([
    ['Kündigung', 'kundigung'],
    ['café', 'cafe'],
    ['cafe\u0301', 'cafe'],
    ['Straße', 'strasse'],
    ['smørrebrød', 'smorrebrod'],
    ['Łódź', 'lodz'],
    ['ＡＢＣ１', 'abc1'],
    ['Ελλάδα', 'ελλαδα'],
    ['ёлка', 'елка'],
    ['λόγος', 'λογοσ'],
    ['ΛΌΓΟΣ', 'λογοσ'],
    ['İstanbul', 'istanbul'],
    ['ﬁne', 'fine'],
    ['الْعَرَبِيَّة', 'العربية'],
    ['हिन्दी', 'हिन्दी'],
    ['a_b', 'a_b'],
  ])('are without accents: %s', (text, word) => {
    expect(words(text)).toBe(`'${word}':1`);
    expect(search(text)).toBe(`('${word}')`);
  });

  it('of scripts without spaces are characters and pairs of them', () => {
    expect(words('日本語')).toBe("'日':1 '日本':1 '本':2 '本語':2 '語':3");
    expect(words('한국 a')).toBe("'한':1 '한국':1 '국':2 'a':3");
  });

  it('have no letter that means something to Postgres', () => {
    expect(words(`'; \\ "x" <-> & | ! : * (`)).toBe("'x':1");
    expect(words(`\u0000'\\\ud800`)).toBe('');
  });

  it('are those of the beginning of a text that becomes too long', () => {
    expect(words('\u{fdfa}'.repeat(5000)).length).toBeLessThan(20_000);
  });

  it('have at most 100 characters', () => {
    expect(words('😀'.repeat(200) + '𝒜'.repeat(5000))).toBe(`'${'a'.repeat(100)}':1`);
  });
});

describe('A search', () => {
  it.each([
    ['too expensive', "('too' & 'expensive')"],
    ['"too expensive"', "('too' <-> 'expensive')"],
    ['too-expensive', "('too' <-> 'expensive')"],
    ['price or cost', "('price') | ('cost')"],
    ['price OR "too much" -cheap', "('price') | ('too' <-> 'much' & !('cheap'))"],
    ['or price or', "('price')"],
    ['-cheap', "(!('cheap'))"],
    ['"unfinished phrase', "('unfinished' <-> 'phrase')"],
    ['版', "('版')"],
    ['サポート', "('サポ' <-> 'ポー' <-> 'ート')"],
    ['日本 v2', "('日本' & 'v2')"],
    ['日本v2', "('日本' <-> '本' <-> 'v2')"],
  ])('for %s asks for it', (text, query) => {
    expect(search(text)).toBe(query);
  });

  it('may be for any part of a name or a number, whatever it consists of', () => {
    expect(wordsOf(ID, "O'K 5", 'parts')).toBe(`'${ID}' 'o':1 'o''':1 '''':2 '''k':2 'k':3 '5':4`);
    expect(search("'k", 'parts')).toBe("('''k')");
    expect(search('-5 or "', 'parts')).toBe(`('-5' & 'or' & '"')`);
    expect(search('ada@', 'parts')).toBe("('ad' <-> 'da' <-> 'a@')");
  });

  it.each(['', ' ', '!!!', '""', '-', 'or', '- or "" -'])('for %j asks for nothing', (text) => {
    expect(searchFor(ID, text)).toBeUndefined();
  });
});
