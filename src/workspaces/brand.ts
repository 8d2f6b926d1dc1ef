/** What customers' pages look like. It imports nothing: the console and the fake of a flow use it. */

/** The main colour in a workspace that has chosen none. */
export const PRIMARY_COLOR = '#4f46e5';

export const SCHEMES = ['light', 'dark', 'auto'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** Beside the colour and the logo. null: the service's own. */
export interface Brand {
  /** Names of font families, with commas between them. */
  font: string | null;
  /** Of corners, such as 12px. */
  radius: string | null;
  scheme: Scheme | null;
}

export const NO_BRAND: Brand = { font: null, radius: null, scheme: null };

/** What was set. */
export function setIn(brand: Brand): { [Name in keyof Brand]?: NonNullable<Brand[Name]> } {
  return Object.fromEntries(Object.entries(brand).filter(([, value]) => value !== null));
}

/** One name, in quotes or not. Nothing in it means something in CSS or HTML. */
const FAMILY = String.raw`(?:[^\s,;:{}()<>\\/'"&@!*][^,;:{}()<>\\/'"&@!*]*|'[^,;{}()<>\\/'"&]+'|"[^,;{}()<>\\/'"&]+")`;
export const FONT = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: `^(?=.{1,200}$)${FAMILY}(?: *, *${FAMILY})*$`,
} as const;

/** From 0px to 24px. */
export const RADIUS = { type: 'string', maxLength: 4, pattern: '^(?:1?[0-9]|2[0-4])px$' } as const;
