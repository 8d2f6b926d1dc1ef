import { PatternField } from '../platform/api/fields/fields';
import { ApiExamples } from '../platform/api/fields/api-examples';
import { Text } from '../platform/api/fields/shown';

/** Parts of a duration, the largest first, of which there is at least one: each may begin it. */
const partsOf = (...parts: string[]): string => {
  const from = parts.map(
    (first, index) =>
      first +
      parts
        .slice(index + 1)
        .map((part) => `(${part})?`)
        .join(''),
  );
  return `(${from.join('|')})`;
};
const DATE = partsOf(String.raw`\d{1,2}Y`, String.raw`\d{1,4}M`, String.raw`\d{1,4}W`, String.raw`\d{1,4}D`);
const TIME = partsOf(String.raw`\d{1,5}H`, String.raw`\d{1,7}M`, String.raw`\d{1,9}S`);

/** A duration (ISO 8601-1, 5.5.2) in whole numbers that Postgres can take from any time. */
const DURATION = `^P(${DATE}(T${TIME})?|T${TIME})$`;

export class PassTimeDto {
  @PatternField(
    {
      description:
        'How much time passes, as an ISO 8601 duration in whole numbers: days `P30D`, months `P2M`, hours `PT25H`. At most five years ' +
        'at once, and until the workspace is 30 years old.',
      example: 'P30D',
    },
    { type: 'string', pattern: DURATION, maxLength: 40 },
    'must be an ISO 8601 duration like P30D or PT25H',
  )
  pass: string;
}

export const ApiPassedTime = () =>
  ApiExamples(PassTimeDto, { 'a month': { pass: 'P30D' }, 'until sessions are abandoned': { pass: 'PT25H' } });

export class PassedTimeDto {
  @Text(40, 'The time that has passed.', 'P30D')
  passed: string;
}
