import { notifyOn } from './request-log';

describe('What the service says of its start and stop', () => {
  const said = (isTerminal: boolean, text: string) => {
    const lines: string[] = [];
    notifyOn({ isTerminal, write: (line) => lines.push(line), flush: () => {} })(text, { api_key: 'rf_live_1' });
    return lines;
  };

  it('is text in a terminal', () => {
    expect(said(true, '\nHere is a key:\n\n  rf_live_1\n')).toEqual(['\nHere is a key:\n\n  rf_live_1\n\n']);
  });

  it('is one line of the log elsewhere', () => {
    const [line, ...more] = said(false, '\nHere is a key:\n\n  rf_live_1\n');
    expect(more).toEqual([]);
    expect(line).toMatch(/^{[^\n]+}\n$/);
    const msg = 'Here is a key:\n\n  rf_live_1';
    expect(JSON.parse(line)).toEqual({ level: 30, time: expect.any(Number), api_key: 'rf_live_1', msg });
  });
});
