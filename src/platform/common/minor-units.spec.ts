import { amountText, decimalsOf } from './minor-units';

describe('An amount', () => {
  it('has two decimals in currencies for which browsers say none, and billing systems count two', () => {
    for (const currency of 'AFN ALL COP HUF IDR ISK LAK LBP MMK PKR SOS UGX YER'.split(' ')) {
      expect([currency, decimalsOf(currency)]).toEqual([currency, 2]);
    }
  });

  it.each([
    [123_450, 'EUR', '€1,234.50'],
    [1200, 'JPY', '¥1,200'],
    [10_500, 'KWD', 'KWD 10.500'],
    [500, 'ISK', 'ISK 5.00'],
    [123_450, 'HUF', 'HUF 1,234.50'],
  ])('%d in %s is %s', (amount, currency, said) => {
    expect(amountText(amount, currency).replaceAll('\u00a0', ' ')).toBe(said);
  });

  it('leaves out decimals that are zero where there is little room', () => {
    expect([amountText(1000, 'USD', true), amountText(950, 'USD', true)]).toEqual(['$10', '$9.50']);
  });
});
