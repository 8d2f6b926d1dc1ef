import { Page } from '../ui/page';

export function CommentsPage() {
  return <Page title="Comments" />;
}
