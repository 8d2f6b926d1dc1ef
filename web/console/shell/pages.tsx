import type { FunctionComponent } from 'preact';
import type { Me } from '@retention-flow/client';
import { AccountPage } from '../account/account-page';
import { ChangesPage } from '../changes/changes-page';
import { CommentsPage } from '../comments/comments-page';
import { EditFlowPage, NewFlowPage } from '../flows/edit/edit-flow-page';
import { FlowPage } from '../flows/flow-page';
import { FlowsPage } from '../flows/flows-page';
import { EditOfferPage, NewOfferPage } from '../offers/edit-offer-page';
import { OffersPage } from '../offers/offers-page';
import { OverviewPage } from '../overview/overview-page';
import { PeoplePage } from '../people/people-page';
import { SessionPage } from '../sessions/session-page';
import { SessionsPage } from '../sessions/sessions-page';
import { SettingsPage } from '../settings/settings-page';
import { WebhookPage } from '../webhooks/webhook-page';
import { WebhooksPage } from '../webhooks/webhooks-page';

/** What each page gets. */
export interface PageProps {
  /** The parameters of its path, such as `id`. */
  params: Record<string, string>;
  query: URLSearchParams;
}

export const PAGES: [pattern: string, page: FunctionComponent<PageProps>][] = [
  ['/', OverviewPage],
  ['/flows', FlowsPage],
  ['/flows/new', NewFlowPage],
  ['/flows/:id', FlowPage],
  ['/flows/:id/edit', EditFlowPage],
  ['/offers', OffersPage],
  ['/offers/new', NewOfferPage],
  ['/offers/:id', EditOfferPage],
  ['/sessions', SessionsPage],
  ['/sessions/:id', SessionPage],
  ['/comments', CommentsPage],
  ['/webhooks', WebhooksPage],
  ['/webhooks/:id', WebhookPage],
  ['/people', PeoplePage],
  ['/changes', ChangesPage],
  ['/account', AccountPage],
  ['/settings', SettingsPage],
];

const MENU: [path: string, name: string][] = [
  ['/', 'Overview'],
  ['/flows', 'Flows'],
  ['/offers', 'Offers'],
  ['/sessions', 'Sessions'],
  ['/comments', 'Comments'],
  ['/webhooks', 'Webhooks'],
  ['/people', 'People'],
  ['/changes', 'Changes'],
  ['/settings', 'Settings'],
];

/** The menu: what each link leads to. It is current on all pages whose path begins with it. People are for people. */
export function menuFor(who: Me['actor']['type']) {
  return who === 'person' ? MENU : MENU.filter(([path]) => path !== '/people');
}
