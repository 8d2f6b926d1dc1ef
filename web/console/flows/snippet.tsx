import type { Flow } from '@retention-flow/client';
import { SERVICE } from '../shell/session';
import { Secret } from '../ui/secret';

/** What a page needs to show the flow. */
export function Snippet({ flow }: { flow: Flow }) {
  const code = `<script async src="${SERVICE}/widget/v1.js"></script>
<a href="${escaped(flow.cancellation_url)}" data-retention-flow="${flow.slug}">Cancel subscription</a>`;
  return (
    <section class="card snippet">
      <h2>On your page</h2>
      <p class="soft">
        {flow.status === 'published'
          ? 'A click on the link shows the flow. A customer who still wants to cancel goes on to the address of the link.'
          : 'Once the flow is published, a click on the link shows it. Until then, the link leads straight to its address.'}
      </p>
      <Secret label="Script and link" value={code} />
    </section>
  );
}

const escaped = (url: string) => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
