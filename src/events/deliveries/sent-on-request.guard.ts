import { limitedByWorkspace } from '../../platform/http/limits/rate-limit.guard';

/**
 * Limits what is sent because somebody asked for it: the address need not belong to who asks, and all webhooks may lead
 * to one host.
 */
export const SentOnRequestGuard = limitedByWorkspace('sending', 30);
