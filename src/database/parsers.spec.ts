import fc from 'fast-check';
import { types } from 'pg';
import { parseTimestamp } from './parsers';

const asPgDoes = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => unknown;

describe('parseTimestamp', () => {
  it.each([
    '2026-11-21 09:30:00+00',
    '2026-11-21 09:30:00.1+00',
    '2026-11-21 09:30:00.123456-11',
    '2026-11-21 09:30:00.9996+05:30',
    '1800-01-01 00:00:00+00:19:32',
    '0001-01-01 00:00:00+00',
    '0044-03-15 00:00:00+00 BC',
    '9999-12-31 23:59:59.999999+14',
    '12026-01-01 00:00:00+00',
    'infinity',
    '-infinity',
  ])('reads %s as pg does', (text) => {
    expect(asPgDoes(text)).not.toBeNull();
    expect(parseTimestamp(text)).toEqual(asPgDoes(text));
  });

  it('reads every millisecond of the years 1 to 9999', () => {
    const times = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(times, (time) => {
        const text = time.toISOString().replace('T', ' ').replace('Z', '+00');
        expect(parseTimestamp(text)).toEqual(time);
      }),
    );
  });
});
