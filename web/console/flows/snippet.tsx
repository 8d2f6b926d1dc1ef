import type { Flow } from '@retention-flow/client';
import { href } from '../shell/route';
import { SERVICE } from '../shell/session';
import { Secret } from '../ui/secret';

/** What a page needs to show the flow. */
export function Snippet({ flow }: { flow: Flow }) {
  const code = `<script async src="${SERVICE}/widget/v1.js"></script>
<a href="${escaped(flow.cancellation_url)}" data-retention-flow="${flow.slug}">Cancel subscription</a>`;
  const isLive = flow.status === 'published';
  return (
    <section class="card snippet" aria-labelledby="on-page">
      <h2 id="on-page">Put it on your page</h2>
      <p class="soft">
        {isLive
          ? 'A click on the link shows the flow. A customer who still wants to cancel goes on to the address of the link.'
          : 'Once the flow is published, a click on the link shows it. Until then, the link leads straight to its address.'}
      </p>
      <Secret label="Script and link" value={code} />
      <p class="soft">
        Add <code>data-customer-token</code> to the link, and your backend says who the customer is: then a customer
        counts once, however often they come, and billing may carry out what they accept. It signs the token with a{' '}
        <a href={href('/settings', { section: 'customer-keys' })}>customer key</a>.
      </p>
      {isLive && (
        <>
          <p>
            <a href={`${SERVICE}/demo?flow=${flow.slug}`} target="_blank" rel="noreferrer">
              See it in the demo
            </a>
            , a page with this link. The session that you start there counts.
          </p>
          <p>
            For mails and apps, the flow has{' '}
            <a href={`${SERVICE}/leave/${flow.slug}`} target="_blank" rel="noreferrer">
              a page of its own
            </a>
            . Sessions there count, too.
          </p>
        </>
      )}
    </section>
  );
}

const escaped = (url: string) => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
