import { ApiError, type Audience, etagOf } from '@retention-flow/client';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { toast } from '../ui/toast';

interface DeleteAudienceProps {
  audience: Audience;
  onDeleted: () => Promise<void>;
  onClose: () => void;
}

/** Asks before an audience is deleted. */
export function DeleteAudience({ audience, onDeleted, onClose }: DeleteAudienceProps) {
  const { client } = useSession();
  const remove = async () => {
    try {
      await client.audiences.delete(audience.id, { ifMatch: etagOf(audience) });
    } catch (error) {
      throw error instanceof ApiError && error.code === 'in_use' ? new Error(usedBy(error)) : error;
    }
    toast(`${audience.name} is deleted.`);
    await onDeleted();
  };
  return (
    <Confirm title={`Delete ${audience.name}?`} verb="Delete now" isDangerous onConfirm={remove} onClose={onClose}>
      <p>No branch can go by it any more. What earlier versions of flows hold of it stays.</p>
    </Confirm>
  );
}

function usedBy({ flows }: ApiError): string {
  const names = flows.map(({ name }) => `“${name}”`).join(', ');
  return `A branch goes by it in ${names}: take it out there first, in drafts, too.`;
}
