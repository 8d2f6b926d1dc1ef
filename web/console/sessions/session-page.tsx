import { Page } from '../ui/page';

export function SessionPage() {
  return <Page title="Session" />;
}
