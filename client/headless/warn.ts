/** Tells the developer of the page what is wrong with it. The page may have a console of its own, which throws. */
export function warn(what: string): void {
  try {
    console.warn(`Retention flow: ${what}`);
  } catch {
    // Then nobody is told.
  }
}
