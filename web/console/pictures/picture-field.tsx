import type { Offer } from '@retention-flow/client';
import { useRef } from 'preact/hooks';
import { IMAGE_TYPES, MAX_ALT } from '../../../src/images/image-limits';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { TextField } from '../ui/field';
import { messageOf } from '../ui/problem';
import { fitted } from './fitted';
import { pictureUrl } from './picture-url';

export type Picture = NonNullable<Offer['image']>;

interface PictureFieldProps {
  /** Of the field, as faults name it. */
  name: string;
  image: Picture | null;
  errorOf: (part: 'url' | 'alt') => string | undefined;
  onInput: (image: Picture | null) => void;
}

/** A picture that is uploaded, or at an address that the workspace allows, and what it shows. */
export function PictureField({ name, image, errorOf, onInput }: PictureFieldProps) {
  const { client } = useSession();
  // What is edited while a picture is uploaded stays.
  const newest = useRef(onInput);
  newest.current = onInput;
  const upload = useAction(async (chosen: File) => {
    const { url } = await client.images.upload(await fitted(chosen));
    // What the picture before it showed is not what this one does.
    newest.current({ url, alt: '' });
  });
  return (
    <fieldset class="picture">
      <legend>Picture</legend>
      {image && <img class="picture-shown" src={pictureUrl(image.url)} alt={image.alt} />}
      <div class="actions">
        <label class="quiet small file">
          {upload.isBusy ? 'Uploading …' : image ? 'Another picture …' : 'Upload a picture …'}
          <input
            type="file"
            class="unseen"
            accept={IMAGE_TYPES.join()}
            disabled={upload.isBusy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files!;
              if (file) upload.run(file);
              currentTarget.value = '';
            }}
          />
        </label>
        {image && (
          <button type="button" class="quiet small" onClick={() => onInput(null)}>
            Remove the picture
          </button>
        )}
      </div>
      <div role="alert">{upload.error !== undefined && <p class="notice error">{messageOf(upload.error)}</p>}</div>
      <TextField
        name={name}
        label="Or its address"
        placeholder="https://cdn.acme.example/tours.png"
        maxLength={2048}
        hint="At a host that the settings allow for pictures. Empty: none."
        key={image?.url}
        value={image?.url ?? ''}
        error={errorOf('url')}
        onCommit={(url) => onInput(url.trim() ? { url: url.trim(), alt: image?.alt ?? '' } : null)}
      />
      {image && (
        <TextField
          name={`${name}-alt`}
          label="Description of the picture"
          maxLength={MAX_ALT}
          hint="What it shows, for customers who don’t see it, and where it can’t be loaded."
          value={image.alt}
          error={errorOf('alt')}
          onInput={(alt) => onInput({ ...image, alt })}
        />
      )}
    </fieldset>
  );
}
