/** A time as a field of the type `datetime-local` has it: in the zone of whoever looks, to the minute before. */
export function localTime(value: string): string {
  const time = new Date(value);
  const of = (part: number) => String(part).padStart(2, '0');
  const date = [String(time.getFullYear()), of(time.getMonth() + 1), of(time.getDate())].join('-');
  return `${date}T${of(time.getHours())}:${of(time.getMinutes())}`;
}
