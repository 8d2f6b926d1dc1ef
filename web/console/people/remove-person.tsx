import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { toast } from '../ui/toast';
import type { AboutPerson } from './change-role';

export function RemovePerson({ person: { id, name, email }, onChanged, onClose }: AboutPerson) {
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
