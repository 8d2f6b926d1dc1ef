import { MAX_PLACEHOLDERS, placeholderFault, resolve, withValues } from './placeholders';

describe('Placeholders in a text', () => {
  it.each([
    ['Hello {{first_name|there}}!', { first_name: 'Ada' }, 'Hello Ada!'],
    ['Hello {{first_name|there}}!', {}, 'Hello there!'],
    ['Hello {{first_name|there}}!', { first_name: null }, 'Hello there!'],
    ['Hello {{first_name|there}}!', { first_name: ' ' }, 'Hello there!'],
    [
      '{{ plan |your}} plan, {{seats|some}} seats, {{trial|?}}',
      { plan: 'Pro', seats: 0, trial: false },
      'Pro plan, 0 seats, false',
    ],
    ['Hello{{first_name|, friend}}', {}, 'Hello, friend'],
    ['{{constructor|there}} {{__proto__|there}}', {}, 'there there'],
    ['{{{a|b}}}', { a: 'c' }, '{c}'],
    ['{{a|b}}', { a: '{{b|c}} <b>$&</b>' }, '{{b|c}} <b>$&</b>'],
    ['{{value}} for {{duration}}', {}, '30% for 3 months'],
    ['{{value|less}} {{duration|a while}}', { value: 'mine' }, '30% 3 months'],
    ['{a} {{ }} }} {{b}}', {}, '{a} {{ }} }} {{b}}'],
  ])('make of %j with %j: %j', (text, attributes, expected) => {
    expect(resolve(text, attributes, { value: '30%', duration: '3 months' })).toBe(expected);
  });

  it('leave the words where the offer has no value, and nothing where there are no words', () => {
    expect(resolve('{{value|less}}, {{duration}}', {}, { value: '', duration: '' })).toBe('less, ');
  });

  it('have at most 200 characters of each value, and no half ones', () => {
    const long = '😀'.repeat(500);
    expect(resolve('{{a|x}}{{a|x}}', { a: long })).toBe('😀'.repeat(400));
    const text = '{{a|x}}'.repeat(MAX_PLACEHOLDERS);
    expect([...resolve(text, { a: long })].length).toBeLessThanOrEqual(withValues(text.length));
  });

  it.each([
    '',
    'Stay',
    '{a}',
    '}}',
    '{{a|b}}',
    '{{ a b | c d }}',
    '{{a|b}} {{c|d}}',
    '{{é|ä}}',
    '{{value}}',
    '{{ value }}',
  ])('are right in %j', (text) => expect(placeholderFault(text, ['value'])).toBeUndefined());

  it.each([
    ['{{first_name}}', 'words'],
    ['{{first_name|}}', 'words'],
    ['{{first_name| }}', 'words'],
    ['{{|there}}', 'name'],
    ['{{ |there}}', 'name'],
    ['{{}}', 'name'],
    ['{{first_name|there', 'not like'],
    ['{{first_name|there}', 'not like'],
    ['{{a|b|c}}', 'not like'],
    ['{{a{{b|c}}|d}}', 'not like'],
    ['{{a|b}}'.repeat(11), 'at most 10'],
  ])('are wrong in %j: %s', (text, message) => {
    expect(placeholderFault(text, ['value'])).toContain(message);
  });

  it('need words for the value of an offer outside of an offer', () => {
    expect(placeholderFault('{{value}}')).toContain('words');
  });
});
