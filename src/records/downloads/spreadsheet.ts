/** Text in files for spreadsheets. The console uses this file, too, so it imports nothing. */

/**
 * Where a spreadsheet could see the beginning of a formula (OWASP, CSV Injection): at a sign, full-width too, behind
 * white space and what can't be seen, which some programs drop, or a quotation mark, which they take for the beginning
 * of a quoted cell. A cell may begin at each semicolon, tab and line break of a text, quoted or not: that is how Excel
 * splits a file with commas where people write decimals with commas. Also in front of a text that begins with a tab or
 * a line break. Text that was guarded before is guarded once more, so that `unguarded` gives it back.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?='*(?:(?![;\t\r\n])[\s\p{C}"])*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/gu;
const GUARDED = /(?<=^|[;\t\r\n])'(?='*(?:(?![;\t\r\n])[\s\p{C}"])*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/gu;

/** A text that no spreadsheet takes for a formula: with an apostrophe wherever one could begin. */
export function guarded(text: string): string {
  return text.replace(FORMULA, "'");
}

/** The text that was guarded. */
export function unguarded(text: string): string {
  return text.replace(GUARDED, '');
}
