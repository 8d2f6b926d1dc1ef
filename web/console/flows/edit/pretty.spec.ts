import { pretty } from './pretty';

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
