/** The largest value of a Postgres `integer`. */
export const INT4_MAX = 2_147_483_647;

/** The `maxItems` of a list that is returned whole, without pages. */
export const UNPAGED = INT4_MAX;
