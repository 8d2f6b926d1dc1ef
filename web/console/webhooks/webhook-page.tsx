import { Page } from '../ui/page';

export function WebhookPage() {
  return <Page title="Webhook" />;
}
