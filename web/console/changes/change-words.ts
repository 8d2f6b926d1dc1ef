import type { Change } from '@retention-flow/client';
import { isSame } from '../flows/same';

/** What somebody did, before the name of what it was done to. */
export const ACTIONS: Record<Change['action'], string> = {
  'workspace.created': 'Created the workspace',
  'workspace.changed': 'Changed the settings of',
  'api_key.created': 'Created the API key',
  'api_key.revoked': 'Revoked the API key',
  'api_key.signed_in': 'Signed in with the API key',
  'customer_key.created': 'Created the customer key',
  'customer_key.deleted': 'Deleted the customer key',
  'invitation.created': 'Invited',
  'invitation.deleted': 'Withdrew the invitation of',
  'person.joined': 'Joined:',
  'person.role_changed': 'Changed the role of',
  'person.removed': 'Removed',
  'person.signed_in': 'Signed in:',
  'person.password_link_created': 'Made a link to set the password of',
  'person.password_changed': 'Changed the password of',
  'image.uploaded': 'Uploaded the picture',
  'image.deleted': 'Deleted the picture',
  'offer.created': 'Created the offer',
  'offer.changed': 'Changed the offer',
  'offer.archived': 'Archived the offer',
  'flow.created': 'Created the flow',
  'flow.changed': 'Changed the flow',
  'flow.published': 'Published the flow',
  'flow.archived': 'Archived the flow',
  'audience.created': 'Created the audience',
  'audience.changed': 'Changed the audience',
  'audience.deleted': 'Deleted the audience',
  'draft.saved': 'Saved the draft of',
  'draft.deleted': 'Deleted the draft of',
  'webhook.created': 'Created the webhook',
  'webhook.changed': 'Changed the webhook',
  'webhook.deleted': 'Deleted the webhook',
  'webhook.disabled': 'Disabled the webhook',
  'billing.connected': 'Connected the billing system',
  'billing.changed': 'Changed the billing connection',
  'billing.disconnected': 'Disconnected the billing system',
  'fulfilment.retried': 'Tried again in the billing system',
  'fulfilments.carried_out': 'Let what the dry run wrote down be carried out',
  'fulfilment.done': 'Did by hand in the billing system',
  'webhook.secret_rotated': 'Made a new secret for the webhook',
  'customer.erased': 'Erased',
  'declaration.done': 'Marked as done: declaration',
  'declaration.reopened': 'Opened again: declaration',
  'declaration.erased': 'Erased who made the declaration',
};

/** More about a change, such as "fields: heading, terms; version: 4; percent_off: 30 → 35". */
export function detailsIn({ before, after, ...details }: Change['details']): string {
  const parts = Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : textOf(value)}`);
  return [...parts, ...valuesIn(before, after)].join('; ');
}

/** The values that differ, old and new, such as "percent_off: 30 → 35". */
function valuesIn(before: unknown, after: unknown): string[] {
  const [old, now] = [Object(before), Object(after)] as Record<string, unknown>[];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => !isSame(old[name], now[name]))
    .flatMap((name) =>
      isObject(old[name]) || isObject(now[name])
        ? valuesIn(old[name], now[name])
        : `${name}: ${textOf(old[name] ?? '–')} → ${textOf(now[name] ?? '–')}`,
    );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
