/** The largest value of Postgres' type integer. */
export const INT4_MAX = 2_147_483_647;
