import type { FunctionComponent } from 'preact';
import type { Me } from '@retention-flow/client';
import { AccountPage } from '../account/account-page';
import { AudiencesPage } from '../audiences/audiences-page';
import { BillingPage } from '../billing/billing-page';
import { BrandPage } from '../brand/brand-page';
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
import { ReportPage } from '../report/report-page';
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
  ['/brand', BrandPage],
  ['/sessions', SessionsPage],
  ['/sessions/:id', SessionPage],
  ['/billing', BillingPage],
  ['/comments', CommentsPage],
  ['/report', ReportPage],
  ['/declarations', DeclarationsPage],
  ['/declarations/:id', DeclarationPage],
  ['/webhooks', WebhooksPage],
  ['/webhooks/:id', WebhookPage],
  ['/people', PeoplePage],
  ['/changes', ChangesPage],
  ['/account', AccountPage],
  ['/settings', SettingsPage],
];

interface MenuGroup {
  name: string;
  links: [path: string, name: string][];
}

const MENU: MenuGroup[] = [
  {
    name: 'Learn',
    links: [
      ['/', 'Overview'],
      ['/report', 'Report'],
      ['/comments', 'Comments'],
      ['/sessions', 'Sessions'],
    ],
  },
  {
    name: 'Build',
    links: [
      ['/flows', 'Flows'],
      ['/offers', 'Offers'],
      ['/audiences', 'Audiences'],
      ['/brand', 'Brand'],
    ],
  },
  {
    name: 'Operate',
    links: [
      ['/billing', 'Billing'],
      ['/webhooks', 'Webhooks'],
      ['/declarations', 'Declarations'],
    ],
  },
  {
    name: 'Admin',
    links: [
      ['/people', 'People'],
      ['/changes', 'Changes'],
      ['/settings', 'Settings'],
    ],
  },
];

/**
 * The menu: groups of links, and what each leads to. It is current on all pages whose path begins with it. People are
 * for people.
 */
export function menuFor(who: Me['actor']['type']): MenuGroup[] {
  if (who === 'person') return MENU;
  return MENU.map(({ name, links }) => ({ name, links: links.filter(([path]) => path !== '/people') }));
}
