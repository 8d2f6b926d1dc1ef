/** Swagger UI is dark if the page has the class `dark-mode`. */
export function followColorScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  apply();
  dark.addEventListener('change', apply);
}
