import { limitOfWorkspace } from '../../platform/http/limits/workspace-limit.guard';

/**
 * Limits what is sent because somebody asked for it: the address need not belong to who asks, and all webhooks may lead
 * to one host.
 */
export const SentOnRequestGuard = limitOfWorkspace('sending', 30);
