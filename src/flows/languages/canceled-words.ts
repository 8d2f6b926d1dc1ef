/** What a customer reads who has canceled, in a language. */
export interface CanceledWords {
  canceled_title?: string;
  canceled_body?: string;
}

/** Its fields, in the order in which they are read. The console uses this file, so it imports nothing. */
export const CANCELED_TEXTS = ['canceled_title', 'canceled_body'] as const;
