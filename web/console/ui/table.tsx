import type { ComponentChildren } from 'preact';

/** The head of a column: its name, or more about it. `false`: the column is left out. */
export type Column =
  string | false | { name: ComponentChildren; isNumber?: boolean; isUnseen?: boolean; title?: string };

interface TableProps {
  /** For those who come to the region by keyboard, to scroll it. */
  label: string;
  /** For those who hear the table. */
  caption: ComponentChildren;
  columns: Column[];
  /** Of its region. */
  class?: string;
  children: ComponentChildren;
}

/** The head of a column of numbers. */
export const numberColumn = (name: string, title?: string): Column => ({
  name,
  isNumber: true,
  ...(title && { title }),
});

/** A table in a region of its own, which scrolls sideways where there is no room. Its children are the bodies. */
export function Table({ label, caption, columns, class: name = '', children }: TableProps) {
  const heads = columns.filter((column) => column !== false);
  return (
    <div class={`table ${name}`} tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {heads.map((column, index) => (
              <Head key={index} {...(typeof column === 'string' ? { name: column } : column)} />
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

function Head({ name, isNumber, isUnseen, title }: Exclude<Column, string | false>) {
  return (
    <th scope="col" class={isNumber ? 'number' : undefined} title={title}>
      {isUnseen ? <span class="unseen">{name}</span> : name}
    </th>
  );
}
