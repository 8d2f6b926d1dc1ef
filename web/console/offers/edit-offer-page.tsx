import { Page } from '../ui/page';

export function NewOfferPage() {
  return <Page title="New offer" />;
}

export function EditOfferPage() {
  return <Page title="Edit offer" />;
}
