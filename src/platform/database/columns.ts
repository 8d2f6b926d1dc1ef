import { getMetadataArgsStorage } from 'typeorm';

/** The columns that a class declares itself, in its order. */
export function columnsOf<Row extends object>(type: new () => Row): (keyof Row & string)[] {
  const columns = getMetadataArgsStorage().filterColumns(type);
  return columns.map(({ propertyName }) => propertyName as keyof Row & string);
}
