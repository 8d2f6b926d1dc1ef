import { Page } from '../ui/page';

export function SessionsPage() {
  return <Page title="Sessions" />;
}
