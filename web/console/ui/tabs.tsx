interface TabsProps<Tab extends string> {
  /** What the tabs are of. */
  label: string;
  tabs: readonly (readonly [tab: Tab, name: string])[];
  current: Tab;
  hrefOf: (tab: Tab) => string;
}

/** Parts of a page, each with an address. */
export function Tabs<Tab extends string>({ label, tabs, current, hrefOf }: TabsProps<Tab>) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([tab, name]) => (
        <a key={tab} href={hrefOf(tab)} aria-current={tab === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
