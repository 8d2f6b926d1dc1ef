import type { Person } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Created } from '../ui/created';
import { Confirm, Dialog } from '../ui/dialog';
import { useForm } from '../ui/form';
import { FormEnd } from '../ui/form-end';
import { MoreOf, type Pages } from '../ui/pages';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { type AboutPerson, ChangeRole } from './change-role';

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

/** Makes a link with which a person sets a new password. If the service sends no mail, shows it this once. */
function PasswordLink({ person: { id, name, email }, onClose }: AboutPerson) {
  const { client } = useSession();
  /** null: it was mailed. */
  const [link, setLink] = useState<string | null>();
  const form = useForm(async () => setLink((await client.people.createPasswordLink(id)).link));
  if (link !== undefined) {
    return (
      <Created title={`A link for ${name}`} label={email} secret={link} onClose={onClose}>
        {link === null
          ? `We sent it to ${email}. It works once, within 24 hours, and nobody else has it.`
          : `Copy it now, and send it to nobody else: whoever has it can sign in as ${name}. It works once, within 24 hours.`}
      </Created>
    );
  }
  return (
    <Dialog title={`A new password for ${name}?`} onClose={onClose}>
      <form onSubmit={form.run}>
        <p>
          {name} chooses a new password with a link. If the service sends mails, it goes to {email}; otherwise you get
          it and pass it on. The old password works until then.
        </p>
        <FormEnd form={form} fields={[]} verb="Make a link" onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function RemovePerson({ person: { id, name, email }, onChanged, onClose }: AboutPerson) {
  const { client, actor, workspace, refresh } = useSession();
  const isSelf = id === actor.id;
  const remove = async () => {
    await client.people.remove(id);
    if (isSelf) return refresh();
    toast(`${name} is removed.`);
    onChanged();
  };
  return (
    <Confirm
      title={isSelf ? 'Leave the workspace?' : `Remove ${name}?`}
      verb="Remove"
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <p class="named">
        <strong>{name}</strong>, {email}, {isSelf ? 'which is you, is' : 'is'} not let into {workspace.name} any more,
        from the next request on.
      </p>
      <p>
        What {isSelf ? 'you' : 'they'} changed stays, and so does the log of changes. To come back takes another
        invitation.
      </p>
    </Confirm>
  );
}
