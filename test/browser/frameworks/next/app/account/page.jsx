import Link from 'next/link';
import { CancelLink } from '../cancel-link';

export default function Account() {
  return (
    <main>
      <h1>Account</h1>
      <p>
        <CancelLink token="CUSTOMER_TOKEN" />
      </p>
      <Link id="routed" href="/account/cancel" data-retention-flow="leaving-acme-pro-7mzo5t5v">
        Cancel by the router's link
      </Link>
    </main>
  );
}
