import { textOf } from './terminal-text';

const line = (fields: object) => JSON.stringify({ level: 30, time: 1, ...fields });

describe('In a terminal, a line of the log', () => {
  it.each<[string, object, string]>([
    ['is its text', { msg: 'Created the schema' }, 'Created the schema\n'],
    [
      'of a request is what was asked, the status and the time',
      { request_id: 'a', method: 'POST', route: '/init', status: 201, ms: 14, msg: 'request' },
      'POST /init 201 14 ms\n',
    ],
    [
      'of a request that fails has the reason',
      { method: 'GET', status: 404, ms: 1, code: 'not_found', msg: 'request' },
      'GET (no such path) 404 1 ms code=not_found\n',
    ],
    ['begins with how bad it is', { level: 40, msg: 'Slow', jobs: ['a'] }, 'Warning: Slow jobs=["a"]\n'],
    [
      'can move no cursor',
      { method: 'PUT', route: '/flows', status: 400, ms: 1, pointer: '/\u001b[2J\n\u009b', msg: 'request' },
      'PUT /flows 400 1 ms pointer="/\\u001b[2J\\n"\n',
    ],
    ['has the stack of an error', { level: 50, msg: 'It broke', err: { stack: 'at x' } }, 'Error: It broke\nat x\n'],
    [
      'for pasting stands by itself, and says nothing twice',
      { msg: 'Here is a key:\n\n  rf_live_1', api_key: 'rf_live_1' },
      '\nHere is a key:\n\n  rf_live_1\n\n',
    ],
  ])('%s', (_, fields, text) => {
    expect(textOf(line(fields))).toBe(text);
  });
});
