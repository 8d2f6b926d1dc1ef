/** Names and texts that a workspace attaches to what it creates, such as the id of a coupon. No customer sees them. */
export type Metadata = Record<string, string>;
