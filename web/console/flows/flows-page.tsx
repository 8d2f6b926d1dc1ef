import { Page } from '../ui/page';

export function FlowsPage() {
  return <Page title="Flows" />;
}
