import { CancelLink } from '../own-link';

export default function Own() {
  return (
    <main>
      <h1>Own</h1>
      <CancelLink />
    </main>
  );
}
