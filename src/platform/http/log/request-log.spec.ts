import { notifyOn } from './request-log';

it('What the service says of its start and stop is one line of the log', () => {
  const lines: string[] = [];
  const notify = notifyOn({ write: (line) => lines.push(line), flush: () => {} });
  notify('\nHere is a key:\n\n  rf_live_1\n', { api_key: 'rf_live_1' });
  const [line, ...more] = lines;
  expect(more).toEqual([]);
  expect(line).toMatch(/^{[^\n]+}\n$/);
  const msg = 'Here is a key:\n\n  rf_live_1';
  expect(JSON.parse(line)).toEqual({ level: 30, time: expect.any(Number), api_key: 'rf_live_1', msg });
});
