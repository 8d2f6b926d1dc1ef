import { href } from './route';
import { useSession } from './session';

/** Says to somebody who may only look who may do something. */
export function EditorsOnly({ what }: { what: string }) {
  const { actor } = useSession();
  return (
    <p class="notice warning">
      {actor.type === 'person' ? (
        <>
          You may look, but not {what}. Editors and owners may: the <a href={href('/people')}>list of people</a> says
          who they are.
        </>
      ) : (
        `This API key may only read. To ${what}, sign in with one that may write.`
      )}
    </p>
  );
}
