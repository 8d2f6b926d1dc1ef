import { Page } from '../ui/page';

export function FlowPage() {
  return <Page title="Flow" />;
}
