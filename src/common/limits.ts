/** The largest value of Postgres' type integer. */
export const INT4_MAX = 2_147_483_647;

/** How much a list holds that is answered whole: as much as there is. */
export const UNPAGED = INT4_MAX;
