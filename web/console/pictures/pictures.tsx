import type { Image } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { MAX_IMAGES } from '../../../src/images/image-limits';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { count } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';
import { pictureUrl } from './picture-url';

/** The pictures that were uploaded, to see what there is, and to make room. */
export function Pictures() {
  const { client, mayWrite } = useSession();
  const loading = useLoading((signal) => client.images.list({ signal }), []);
  const [deleted, setDeleted] = useState<Image>();
  const remove = async ({ id }: Image) => {
    await client.images.delete(id);
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
                          onClick={() => setDeleted(image)}
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
      {deleted && (
        <Confirm
          title="Delete this picture?"
          verb="Delete"
          isDangerous
          onConfirm={() => remove(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <img class="picture-shown" src={pictureUrl(deleted.url)} alt="" />
          <p>Pages and offers that show it go on with what it shows in words in its place. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  );
}
