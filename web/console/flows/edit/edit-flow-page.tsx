import { Page } from '../../ui/page';

export function NewFlowPage() {
  return <Page title="New flow" />;
}

export function EditFlowPage() {
  return <Page title="Edit flow" />;
}
