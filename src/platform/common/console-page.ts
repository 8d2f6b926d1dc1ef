/**
 * The address of a page of the console. What is behind the # no log and no other site sees.
 *
 * @param base the address of the service
 * @param page such as `report`
 */
export const consolePage = (base: string, page: string): string => `${base}/console#/${page}`;
