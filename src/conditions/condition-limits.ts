/** The most conditions of a path. */
export const MAX_CONDITIONS = 10;
/** The most values in the list of a condition. */
export const MAX_VALUES = 50;
/** The most options of a survey, and of answers in the list of a condition. */
export const MAX_OPTIONS = 20;
