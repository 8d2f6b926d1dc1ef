import type { FunctionComponent } from 'preact';
import type { Me } from '@retention-flow/client';
import { AccountPage } from '../account/account-page';
import { AudiencesPage } from '../audiences/audiences-page';
import { BillingPage } from '../billing/billing-page';
import { ChangesPage } from '../changes/changes-page';
import { CommentsPage } from '../comments/comments-page';
import { DeclarationPage } from '../declarations/declaration-page';
import { DeclarationsPage } from '../declarations/declarations-page';
import { EditFlowPage, NewFlowPage } from '../flows/edit/edit-flow-page';
import { FlowPage } from '../flows/flow-page';
import { FlowsPage } from '../flows/flows-page';
import { EditOfferPage, NewOfferPage } from '../offers/edit-offer-page';
import { LanguagesPage } from '../flows/languages/languages-page';
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
  ['/flows/:id/languages', LanguagesPage],
  ['/offers', OffersPage],
  ['/offers/new', NewOfferPage],
  ['/offers/:id', EditOfferPage],
  ['/audiences', AudiencesPage],
  ['/sessions', SessionsPage],
  ['/sessions/:id', SessionPage],
  ['/billing', BillingPage],
  ['/comments', CommentsPage],
  ['/declarations', DeclarationsPage],
  ['/declarations/:id', DeclarationPage],
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
  ['/audiences', 'Audiences'],
  ['/sessions', 'Sessions'],
  ['/billing', 'Billing'],
  ['/comments', 'Comments'],
  ['/declarations', 'Declarations'],
  ['/webhooks', 'Webhooks'],
  ['/people', 'People'],
  ['/changes', 'Changes'],
  ['/settings', 'Settings'],
];

/** The menu: what each link leads to. It is current on all pages whose path begins with it. People are for people. */
export function menuFor(who: Me['actor']['type']) {
  return who === 'person' ? MENU : MENU.filter(([path]) => path !== '/people');
}
