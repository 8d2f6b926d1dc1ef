import { useState } from 'preact/hooks';
import { OwnersOnly } from '../shell/owners-only';
import { useSession } from '../shell/session';
import { Page } from '../ui/page';
import { usePages } from '../ui/pages';
import { Invitations } from './invitations';
import { Invite } from './invite';
import { PeopleTable } from './people-table';

const PER_PAGE = 50;

export function PeoplePage() {
  const { client, isOwner } = useSession();
  const [isInviting, setIsInviting] = useState(false);
  const people = usePages(async (cursor, signal) => {
    const { people, next_cursor } = await client.people.list({ cursor, limit: PER_PAGE }, { signal });
    return { items: people, next_cursor };
  }, []);
  const invitations = usePages(
    async (cursor, signal) => {
      // Only owners may read them.
      if (!isOwner) return { items: [], next_cursor: null };
      const { invitations, next_cursor } = await client.invitations.list({ cursor, limit: PER_PAGE }, { signal });
      return { items: invitations, next_cursor };
    },
    [isOwner],
  );
  const invite = isOwner && (
    <button type="button" class="primary" onClick={() => setIsInviting(true)}>
      Invite a person
    </button>
  );
  return (
    <Page title="People" actions={invite}>
      <OwnersOnly what="who is here" />
      <PeopleTable list={people} />
      {isOwner && <Invitations list={invitations} />}
      {isInviting && <Invite onInvited={invitations.reload} onClose={() => setIsInviting(false)} />}
    </Page>
  );
}
