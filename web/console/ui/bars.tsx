import { useState } from 'preact/hooks';

/** One row: its name, a bar as long as `value` with `part` of it filled, and the numbers in words. */
export interface BarRow {
  key: string;
  label: string;
  href?: string;
  value: number;
  part: number;
  numbers: string[];
  /** More about it, below the bar. */
  note?: string;
}

interface BarsProps {
  caption: string;
  /** The first is that of the labels. */
  columns: string[];
  rows: BarRow[];
  /** The most rows before somebody asks for all. */
  most?: number;
}

/** Horizontal bars in a table. The longest is as wide as the table. */
export function Bars({ caption, columns: [first, ...others], rows, most = 8 }: BarsProps) {
  const [areAllShown, setAreAllShown] = useState(false);
  const longest = Math.max(1, ...rows.map(({ value }) => value));
  const share = (value: number) => `${(100 * value) / longest}%`;
  return (
    <>
      <table class="bars">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((column) => (
              <th key={column} scope="col" class="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        {(areAllShown ? rows : rows.slice(0, most)).map(({ key, label, href, value, part, numbers, note }) => (
          <tbody key={key}>
            <tr>
              <th scope="row">{href ? <a href={href}>{label}</a> : label}</th>
              {numbers.map((number, index) => (
                <td key={others[index]} class="number">
                  {number}
                </td>
              ))}
            </tr>
            <tr aria-hidden="true">
              <td colSpan={1 + others.length}>
                <div class="bar" style={{ width: share(value) }}>
                  <div style={{ width: `${value === 0 ? 0 : (100 * part) / value}%` }} />
                </div>
              </td>
            </tr>
            {note && (
              <tr class="note">
                <td colSpan={1 + others.length} class="soft">
                  {note}
                </td>
              </tr>
            )}
          </tbody>
        ))}
      </table>
      {rows.length > most && (
        <button type="button" class="quiet small" onClick={() => setAreAllShown(!areAllShown)}>
          {areAllShown ? 'Show fewer' : `Show all ${rows.length}`}
        </button>
      )}
    </>
  );
}
