import { isBlank, isOrigin, isStorable, isWebOrigin, isWebUrl, lengthOf } from './text';

describe('Text', () => {
  it('is counted in code points, not in UTF-16 units', () => {
    expect(lengthOf('aé😀')).toBe(3);
  });

  it('is blank if it is only white space', () => {
    expect([' \t\n\u00a0', '', 'a '].map(isBlank)).toEqual([true, true, false]);
  });

  it('can be stored unless it contains NUL or an unpaired surrogate', () => {
    expect(['a\0', '\ud83d', '😀'].map(isStorable)).toEqual([false, false, true]);
  });

  it.each([
    ['https://acme.example/a?b=c#d', true],
    ['http://localhost:3000', true],
    ['HTTPS://[::1]:8080?next=https://acme.example/@me', true],
    ['https://münchen.example/größe', true],
    ['https:acme.example', false],
    ['https:/acme.example', false],
    ['https:///acme.example', false],
    [String.raw`https:\\acme.example`, false],
    [String.raw`https://acme.example\cancel`, false],
    [String.raw`https://acme.example/a\b`, false],
    ['https://acme%2eexample/', false],
    ['https://?next=acme.example', false],
    ['https://user@acme.example/', false],
    ['https://@acme.example/', false],
    ['https://:@acme.example/', false],
    ['ftp://acme.example/', false],
    ['javascript:alert(1)', false],
    ['//acme.example', false],
    [' https://acme.example', false],
    ['https://acme.example/\n', false],
    ['', false],
  ])('%j is a web URL: %s', (text, expected) => {
    expect(isWebUrl(text)).toBe(expected);
  });

  it('is a web URL in any script after any number of others', () => {
    for (let n = 0; n < 100_000; n++) isWebUrl('https://acme.example/');
    expect(isWebUrl('https://münchen.example/größe')).toBe(true);
  });

  it.each([
    ['https://acme.example', true],
    ['http://localhost:3000', true],
    ['https://acme.example/', false],
    ['https://acme.example:443', false],
    ['https://ACME.example', false],
    ['null', false],
    ['*', false],
  ])('%j is an origin: %s', (text, expected) => {
    expect([isWebOrigin(text), isOrigin(text)]).toEqual([expected, expected]);
  });

  it.each([
    ['capacitor://localhost', true],
    ['ionic://localhost', true],
    ['tauri://localhost', true],
    ['app://acme', true],
    ['app://acme.example', true],
    ['capacitor://acme.example', false],
    ['app://', false],
    ['app://acme/', false],
    ['app://*', false],
    ['javascript://localhost', false],
    ['file://', false],
  ])('%j is the origin of pages in an app: %s', (text, expected) => {
    expect([isOrigin(text), isWebOrigin(text)]).toEqual([expected, false]);
  });
});
