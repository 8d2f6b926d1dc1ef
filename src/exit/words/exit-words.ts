import type { DeclarationKind } from '../../flows/flow-exit';
import type { Termination } from '../declaration.entity';

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
  tooMany: (minutes: number) => string;
  otherWays: string;
  toCancellationPage: string;
  writeTo: string;
  notFound: string;
  receipt: ReceiptWords;
}

export interface ReceiptWords {
  subject: (product: string) => string;
  title: OfKind;
  lead: string;
  number: string;
  received: string;
  kind: string;
  kinds: OfKind;
  product: string;
  asSoonAsPossible: string;
  keep: string;
  /** On the page alone. */
  alsoByMail: (email: string) => string;
  asText: string;
  asHtml: string;
  /** The receipt of a session that a customer canceled. */
  canceledTitle: string;
  canceledLead: string;
  goOn: string;
}
