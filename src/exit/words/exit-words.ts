import type { Language } from '../../platform/text/languages';
import type { DeclarationKind } from '../../flows/flow-exit';
import type { Termination } from '../declaration.entity';
import de from './de.json';
import en from './en.json';
import es from './es.json';
import fr from './fr.json';
import he from './he.json';
import it from './it.json';
import ja from './ja.json';
import nl from './nl.json';
import pl from './pl.json';
import pt from './pt.json';
import sv from './sv.json';
import zhHans from './zh-hans.json';

type OfKind = Record<DeclarationKind, string>;

/** The words of the exit page and of receipts in a language. */
export interface ExitWords {
  /** The language, in its own words. */
  language: string;
  /** The purpose of the page. */
  title: OfKind;
  intro: OfKind;
  /** Leads to the page for the other kind. */
  other: OfKind;
  fillIn: string;
  confirm: string;
  name: string;
  contract: string;
  contractHint: string;
  email: string;
  termination: string;
  terminations: Record<Termination, string>;
  reason: string;
  reasonHint: string;
  when: string;
  whenHint: string;
  /** The effect of the button. */
  effect: OfKind;
  /** The button says just that. */
  button: OfKind;
  /** Beside a field that machines fill in and nobody sees. */
  leaveEmpty: string;
  faulty: string;
  missing: string;
  noEmail: string;
  tooLong: string;
  mustBeEmpty: string;
  unavailable: string;
  /** `{{minutes}}`: until one may try again. */
  tooMany: string;
  otherWays: string;
  toCancellationPage: string;
  /** Of the page of a flow: begins it. */
  toFlow: string;
  writeTo: string;
  notFound: string;
  receipt: ReceiptWords;
}

export interface ReceiptWords {
  /** `{{product}}`. */
  subject: string;
  title: OfKind;
  lead: string;
  number: string;
  received: string;
  kind: string;
  kinds: OfKind;
  product: string;
  asSoonAsPossible: string;
  keep: string;
  /** A sentence of the page alone, with `{{email}}`. */
  alsoByMail: string;
  asText: string;
  asHtml: string;
  /** The receipt of a session that a customer canceled. */
  canceledTitle: string;
  canceledLead: string;
  goOn: string;
  /** In the mail, above the link to the page of that name. */
  wasItYou: string;
  itWasMe: string;
  confirmHint: string;
  confirmed: string;
}

export const EXIT_WORDS: Record<Language, ExitWords> = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  pl,
  sv,
  ja,
  'zh-Hans': zhHans,
  he,
};

/** A text with values in place of its `{{names}}`. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}
