import { readText } from './definition-text';
import { offsetOf, positionOf } from './pointer-lines';

const TEXT = `{
  "entry": "start",
  "nodes": [
    { "key": "start", "type": "start",
      "next": "gone" },
    {
      "key": "confirm", "type": "confirm",
      "config": { "a/b~c": 1 }
    }
  ]
}`;

describe('A JSON Pointer', () => {
  it.each([
    ['/entry', 2, 12],
    ['/nodes/0', 4, 5],
    ['/nodes/0/next', 5, 15],
    ['/nodes/1/config/a~1b~0c', 8, 28],
    ['', 1, 1],
  ])('%s is found in the text', (pointer, line, column) =>
    expect(positionOf(TEXT, offsetOf(readText(TEXT).tree, pointer))).toEqual({ line, column }),
  );

  it.each([
    ['/nodes/1/config/title', 8],
    ['/nodes/0/config/options/3', 4],
    ['/nodes/7', 3],
    ['/description', 1],
  ])('%s, which is missing, leads to what it is missing from', (pointer, line) =>
    expect(positionOf(TEXT, offsetOf(readText(TEXT).tree, pointer)).line).toBe(line),
  );
});
