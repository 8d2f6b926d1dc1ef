/** The kinds of declarations on exit pages. */
export const DECLARATION_KINDS = ['termination', 'withdrawal'] as const;
export type DeclarationKind = (typeof DECLARATION_KINDS)[number];

/** The page that the law asks for, on which customers leave without a session, and the receipts of a flow. */
export interface FlowExit {
  enabled: boolean;
  /** At least one; the page begins with the first. */
  kinds: DeclarationKind[];
  /** The team's address. Customers see it; null: mails go to the notification address, and customers see none. */
  recipient_email: string | null;
  /** The sender of receipts; null: the service's. */
  confirmation_from: string | null;
  /** Whether a verified customer gets a receipt for each session that they cancel. */
  session_receipts: boolean;
}
