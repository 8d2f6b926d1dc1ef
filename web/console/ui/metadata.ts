/** Metadata while it is being written: a name may still be empty, or there twice. */
export type MetadataRows = { name: string; value: string }[];

export function rowsOf(metadata: Record<string, string>): MetadataRows {
  return Object.entries(metadata).map(([name, value]) => ({ name, value }));
}

/** What rows say, without the empty ones. */
export function metadataOf(rows: MetadataRows): Record<string, string> {
  const filled = rows.filter(({ name, value }) => name !== '' || value !== '');
  return Object.fromEntries(filled.map(({ name, value }) => [name, value]));
}

/** Throws when a name is there twice, as one of the values would be lost. */
export function refuseDoubled(rows: MetadataRows): void {
  const names = rows.map(({ name }) => name);
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`The metadata has the name "${twice}" twice.`);
}
