import fc from 'fast-check';
import { inkOn } from './color.ts';

/** The contrast of two colours, as written in WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const luminance = (color: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const value = parseInt(color.slice(1 + index * 2, 3 + index * 2), 16) / 255;
      return sum + weight * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    }, 0);
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe("The brand's colour", () => {
  it('gets ink with a contrast of at least 4.5, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const color = `#${number.toString(16).padStart(6, '0')}`;
        expect(contrast(color, inkOn(color).padEnd(7, inkOn(color).at(-1)))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('may have three digits', () => {
    expect(['#fff', '#1aB', '#ccc'].map(inkOn)).toEqual(['#ffffff', '#11aaBB', '#cccccc'].map(inkOn));
  });
});
