/** As the `ref` of a form: whoever sees it begins to type in its first empty field. */
export function focusFirst(form: HTMLFormElement | null): void {
  const fields = form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden])') ?? [];
  [...fields].find(({ value }) => value === '')?.focus();
}
