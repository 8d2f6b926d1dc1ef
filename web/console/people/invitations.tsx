import type { Invitation } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { MoreOf, type Pages } from '../ui/pages';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { Table } from '../ui/table';

/** Who may still join. */
export function Invitations({ list }: { list: Pages<Invitation> }) {
  const { client } = useSession();
  const [withdrawn, setWithdrawn] = useState<Invitation>();
  const invitations = list.pages.flat();
  const withdraw = async ({ id, email }: Invitation) => {
    await client.invitations.delete(id);
    toast(`The invitation of ${email} is withdrawn.`);
    list.reload();
  };
  return (
    <section class="settings-section" aria-labelledby="invitations-heading">
      <h2 id="invitations-heading">Open invitations</h2>
      {invitations.length === 0 && !list.isLoading && list.error === undefined && <p class="soft">None.</p>}
      {invitations.length > 0 && (
        <Table
          label="Table of invitations"
          caption="Open invitations, newest first"
          columns={['E-mail', 'Role', 'Expires', { name: 'Change', isUnseen: true }]}
        >
          <tbody>
            {invitations.map((invitation) => (
              <tr key={invitation.id}>
                <td class="named">{invitation.email}</td>
                <td>
                  <span class="badge">{invitation.role}</span>
                </td>
                <td class="short">
                  <Time value={invitation.expires_at} />
                </td>
                <td>
                  <button
                    type="button"
                    class="quiet small"
                    aria-label={`Withdraw ${invitation.email}`}
                    onClick={() => setWithdrawn(invitation)}
                  >
                    Withdraw
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <MoreOf list={list} />
      {withdrawn && (
        <Confirm
          title="Withdraw this invitation?"
          verb="Withdraw"
          isDangerous
          onConfirm={() => withdraw(withdrawn)}
          onClose={() => setWithdrawn(undefined)}
        >
          <p class="named">
            The link of <strong>{withdrawn.email}</strong> opens nothing any more.
          </p>
        </Confirm>
      )}
    </section>
  );
}
