import type { FlowDefinition } from '@retention-flow/client';
import { reviewLink, reviewPlace } from './review-place';

const definition = {
  entry: 'why',
  nodes: [
    { key: 'why', type: 'survey', config: { title: 'Why?', options: [] }, next: 'half' },
    { key: 'half', type: 'offer', config: { offer_id: 'a' }, next: 'why' },
  ],
} as FlowDefinition;

it.each([
  ['/exit/recipient_email', 'The exit page'],
  ['/survey/comment', 'The survey'],
  ['/install/button_leads_to', 'Your page'],
  ['/offer_ids/1', 'Offer 2'],
  ['/definition/nodes/0/config/comment', '“Why?”'],
  ['/definition/nodes/1/config/offer_id', 'The offer at “half”'],
  ['/definition/nodes/9', 'The flow'],
])('%s is %s', (pointer, words) => expect(reviewPlace(pointer, definition)).toBe(words));

it.each([
  ['/exit/recipient_email', '#/flows/f?tab=install', '#/flows/f?tab=install'],
  ['/definition/nodes/0/config/comment', '#/flows/f/edit', undefined],
  ['/definition/nodes/1/config/offer_id', '#/offers/a', '#/offers/a'],
  ['/offer_ids/0', '#/offers/a', '#/offers/a'],
  ['/install', '#/flows/f?tab=install', '#/flows/f?tab=install'],
])('%s is changed at %s, and from the editor at %s', (pointer, link, fromEditor) =>
  expect([false, true].map((isDraft) => reviewLink(pointer, { flowId: 'f', definition, isDraft }))).toEqual([
    link,
    fromEditor,
  ]),
);
