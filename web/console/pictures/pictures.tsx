import { ApiError, type Image, type Use } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { MAX_IMAGES } from '../../../src/images/image-limits';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { count } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { pictureUrl } from './picture-url';

/** A picture that somebody wants to delete, and where it is shown, once that is known. */
interface Deletion {
  image: Image;
  uses: Use[];
}

/** The pictures that were uploaded, to see what there is, and to make room. */
export function Pictures() {
  const { client, mayWrite } = useSession();
  const loading = useLoading((signal) => client.images.list({}, { signal }), []);
  const [deletion, setDeletion] = useState<Deletion>();
  const remove = async ({ image, uses }: Deletion) => {
    try {
      await client.images.delete(image.id, { force: uses.length > 0 });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'image_in_use') setDeletion({ image, uses: error.usedIn });
      throw error;
    }
    toast('The picture is deleted.');
    await loading.reload();
  };
  return (
    <section class="settings-section" aria-labelledby="pictures-heading">
      <h2 id="pictures-heading">Pictures</h2>
      <Loaded loading={loading}>
        {({ images }) => (
          <>
            <p class="soft">
              {images.length === 0
                ? 'None yet. Pages and offers take them where their words are edited.'
                : `${count(images.length)} of at most ${count(MAX_IMAGES)}, newest first. Pages and offers show them.`}
            </p>
            {images.length > 0 && (
              <ul class="pictures">
                {images.map((image) => (
                  <li key={image.id} class="card">
                    <img class="picture-shown" src={pictureUrl(image.url)} alt={`Picture ${image.id}`} loading="lazy" />
                    <div class="card-head">
                      <span class="soft">
                        {image.width} × {image.height} · <Time value={image.created_at} />
                      </span>
                      {mayWrite && (
                        <button
                          type="button"
                          class="quiet small"
                          aria-label={`Delete picture ${image.id}`}
                          onClick={() => setDeletion({ image, uses: [] })}
                        >
                          Delete
                        </button>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      {deletion && (
        <Confirm
          title="Delete this picture?"
          verb={deletion.uses.length > 0 ? 'Delete anyway' : 'Delete'}
          isDangerous
          onConfirm={() => remove(deletion)}
          onClose={() => setDeletion(undefined)}
        >
          <img class="picture-shown" src={pictureUrl(deletion.image.url)} alt="" />
          {deletion.uses.length > 0 && (
            <>
              <p>These show it:</p>
              <ul>
                {deletion.uses.map(({ type, id, name, is_draft }) => (
                  <li key={id}>
                    <a href={href(`/${type}s/${id}`)}>{name}</a>{' '}
                    <span class="soft">{is_draft ? `${type}, in its draft` : type}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <p>
            Pages and offers that show it will show its description instead. Browsers that have loaded it may keep it
            for a year. This cannot be undone.
          </p>
        </Confirm>
      )}
    </section>
  );
}
