import { choicesOf, NONE, subscriptionOf } from './subscription';

describe('The subscription that a preview is as', () => {
  it.each([
    ['nobody’s', {}, undefined],
    ['one of Stripe', { choice: 'sub_1' }, { id: 'sub_1' }],
    ['one by its id', { choice: 'other', id: ' sub_2 ' }, { id: 'sub_2' }],
    [
      'made up, in cents',
      { choice: 'made_up', amount: '19.99', currency: 'usd' },
      { amount: 1999, currency: 'USD', interval: 'month' },
    ],
    [
      'made up, in yen',
      { choice: 'made_up', amount: '1900', currency: 'JPY' },
      { amount: 1900, currency: 'JPY', interval: 'month' },
    ],
  ])('is %s', (_, chosen, subscription) => expect(subscriptionOf({ ...NONE, ...chosen })).toEqual(subscription));

  it('is chosen by the customer and the price', () => {
    const listed = { id: 'sub_1', status: 'active', currency: 'EUR', interval_count: 1, interval: 'month' };
    const subscriptions = [
      { ...listed, customer: 'Ada Lovelace', amount: 2900 },
      { ...listed, id: 'sub_2', customer: null, amount: null, status: 'past_due' },
      { ...listed, id: 'sub_3', customer: 'bob@acme.example', amount: 5900, interval_count: 3 },
    ];
    const names = (has_more: boolean) => choicesOf({ subscriptions, has_more }).map(([, name]) => name);
    expect(names(false).slice(2)).toEqual([
      'Ada Lovelace: €29.00 a month',
      'sub_2: no fixed price, past due',
      'bob@acme.example: €59.00 every 3 months',
    ]);
    expect(names(true).at(-1)).toBe('Another one, by its id');
    expect(choicesOf(undefined)).toHaveLength(2);
  });
});
