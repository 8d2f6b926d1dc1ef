import type { Offer } from '@retention-flow/client';
import { MAX_ALT } from '../../../src/images/image-limits';
import { TextField } from '../ui/field';
import { pictureUrl } from './picture-url';
import { UploadButton } from './upload-button';

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
  return (
    <fieldset class="picture">
      <legend>Picture</legend>
      {image && <img class="picture-shown" src={pictureUrl(image.url)} alt={image.alt} />}
      <UploadButton
        label={image ? 'Another picture …' : 'Upload a picture …'}
        // What the picture before it showed is not what this one does.
        onUploaded={(url) => onInput({ url, alt: '' })}
      >
        {image && (
          <button type="button" class="quiet small" onClick={() => onInput(null)}>
            Remove the picture
          </button>
        )}
      </UploadButton>
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
