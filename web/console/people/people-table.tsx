import type { Person } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { MoreOf, type Pages } from '../ui/pages';
import { Time } from '../ui/time';
import { Table } from '../ui/table';
import { ChangeRole } from './change-role';
import { PasswordLink } from './password-link';
import { RemovePerson } from './remove-person';

/** What an owner can do about a person. */
const DIALOGS = { 'Change role': ChangeRole, 'New password': PasswordLink, Remove: RemovePerson };

export function PeopleTable({ list }: { list: Pages<Person> }) {
  const { actor, isOwner } = useSession();
  const [asked, setAsked] = useState<[keyof typeof DIALOGS, Person]>();
  const Asked = asked && DIALOGS[asked[0]];
  return (
    <>
      <Table
        label="Table of people"
        caption="People, newest first"
        columns={['Person', 'Role', 'Joined', isOwner && { name: 'Change', isUnseen: true }]}
      >
        {list.pages.map((people) => (
          <tbody key={people[0]?.id}>
            {people.map((person) => (
              <tr key={person.id}>
                <td class="named">
                  {person.name} {person.id === actor.id && <span class="badge calm">You</span>}
                  <p class="soft">{person.email}</p>
                </td>
                <td>
                  <span class="badge">{person.role}</span>
                </td>
                <td class="short">
                  <Time value={person.created_at} />
                </td>
                {isOwner && (
                  <td>
                    <div class="actions">
                      {(Object.keys(DIALOGS) as (keyof typeof DIALOGS)[]).map((verb) => (
                        <button
                          key={verb}
                          type="button"
                          class="quiet small"
                          aria-label={`${verb}: ${person.name}`}
                          onClick={() => setAsked([verb, person])}
                        >
                          {verb}
                        </button>
                      ))}
                    </div>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        ))}
      </Table>
      <MoreOf list={list} />
      {asked && Asked && <Asked person={asked[1]} onChanged={list.reload} onClose={() => setAsked(undefined)} />}
    </>
  );
}
