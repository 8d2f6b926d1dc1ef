/** The widget's main colour in a workspace that has chosen none. */
export const PRIMARY_COLOR = '#4f46e5';
