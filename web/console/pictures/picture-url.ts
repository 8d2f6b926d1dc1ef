import { SERVICE } from '../shell/session';

/** Where a picture is seen: one that was uploaded is on the service. */
export const pictureUrl = (url: string): string => (url.startsWith('/') ? SERVICE + url : url);
