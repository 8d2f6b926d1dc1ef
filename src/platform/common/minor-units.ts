/**
 * How many decimals billing systems count in an amount, where it isn't two. Not those of ISO 4217: ISK and UGX have
 * two, though nobody pays in them. From docs.stripe.com/currencies, "Zero-decimal currencies" and "Three-decimal
 * currencies".
 */
const DECIMALS: Record<string, number> = {
  ...of(0, 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'),
  ...of(3, 'BHD JOD KWD OMR TND'),
};

function of(decimals: number, currencies: string): Record<string, number> {
  return Object.fromEntries(currencies.split(' ').map((currency) => [currency, decimals]));
}

/** How many decimals an amount in a currency has, as billing counts them. */
export function decimalsOf(currency: string): number {
  return DECIMALS[currency] ?? 2;
}

/**
 * Says an amount: €1,234.50.
 *
 * @param amount in the smallest unit
 * @param isShort without decimals that are all zero
 */
export function amountText(amount: number, currency: string, isShort = false, locale = 'en'): string {
  const decimals = decimalsOf(currency);
  const value = amount / 10 ** decimals;
  const minimumFractionDigits = isShort && Number.isInteger(value) ? 0 : decimals;
  const digits = { minimumFractionDigits, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(value);
}
