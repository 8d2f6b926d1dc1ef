import Link from 'next/link';
import { Ready } from './ready';

export default function Layout({ children }) {
  return (
    <html lang="en">
      <head>{/* script */}</head>
      <body>
        <nav>
          <Link href="/">Home</Link> <Link href="/account">Account</Link> <Link href="/element">Element</Link>{' '}
          <Link href="/own">Own</Link>
        </nav>
        {children}
        <Ready />
      </body>
    </html>
  );
}
