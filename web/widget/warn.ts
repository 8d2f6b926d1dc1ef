/** Tells the developer of the page what is wrong with it. */
export function warn(what: string): void {
  console.warn(`Retention flow: ${what}`);
}
