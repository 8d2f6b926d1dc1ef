import { pretty, readText } from './definition-text';
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

describe('A definition that is formatted', () => {
  const definition = {
    nodes: [
      { type: 'offer', next: 'b', key: 'a', config: {} },
      { config: { title: 'Leave?' }, type: 'confirm', key: 'b' },
    ],
    entry: 'a',
    x: [],
  };
  it('says the same', () => expect(JSON.parse(pretty(definition))).toEqual(definition));
  it('stands in the order in which one reads it', () =>
    expect(pretty(definition)).toBe(`{
  "entry": "a",
  "nodes": [
    { "key": "a", "type": "offer", "config": {}, "next": "b" },
    { "key": "b", "type": "confirm", "config": { "title": "Leave?" } }
  ],
  "x": []
}`));
  it('stays as it is when it is formatted again', () => {
    const once = pretty(definition);
    expect(pretty(JSON.parse(once))).toBe(once);
  });
});
