import { Page } from '../ui/page';

export function OffersPage() {
  return <Page title="Offers" />;
}
