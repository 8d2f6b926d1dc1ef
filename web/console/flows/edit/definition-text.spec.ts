import { readText } from './definition-text';
import { positionOf } from './pointer-lines';

describe('A text that is not JSON', () => {
  it.each([
    ['{\n  "entry": "a"\n  "nodes": []\n}', 3, 'a comma is missing before this'],
    ['{\n  "entry": "a",\n}', 3, 'a name in double quotes is missing before this'],
    ['{\n  "entry": "a', 2, 'a text is not closed by a double quote'],
    ['{\n  "nodes": [', 2, 'a closing bracket ] is missing'],
    ["{ 'entry': 1 }", 1, 'this is not JSON: texts stand in double quotes'],
    ['{ } // end', 1, 'JSON has no comments'],
    ['', 1, 'a value is missing before this'],
  ])('%j is at fault in line %d: %s', (text, line, message) => {
    const { fault } = readText(text);
    expect([positionOf(text, fault!.offset).line, fault!.message]).toEqual([line, message]);
  });

  it('is read as far as it goes', () =>
    expect(readText('{ "entry": "a", "nodes": [{ "key": "a" }, ').value).toEqual({
      entry: 'a',
      nodes: [{ key: 'a' }],
    }));
});
