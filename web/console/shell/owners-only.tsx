import { useSession } from './session';

/** Says why a page offers no change to somebody who may not make one. */
export function OwnersOnly({ what }: { what: string }) {
  const { isOwner, actor } = useSession();
  if (isOwner) return null;
  return (
    <p class="soft">{actor.type === 'person' ? `Only an owner may change ${what}.` : 'This API key may only read.'}</p>
  );
}
