/** A POST as the documentation of Stripe writes it: a path, and a line for each parameter. */
export function formOf(path: string, params: object): string {
  const lines = (value: unknown, name: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => lines(one, name ? `${name}[${key}]` : key))
      : [`${name}=${String(value)}`];
  return [`POST ${path}`, ...lines(params, '')].join('\n');
}
