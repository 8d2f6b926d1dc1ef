import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { IMAGE_TYPES } from '../../../src/images/image-limits';
import { useSession } from '../shell/session';
import { useAction } from '../ui/action';
import { messageOf } from '../ui/problem';
import { fitted } from './fitted';

interface UploadButtonProps {
  label: string;
  /** Gets the address that the service gives the picture. */
  onUploaded: (url: string) => void;
  /** Other buttons, beside it. */
  children?: ComponentChildren;
}

/** Uploads a picture that somebody chooses, made small enough first, and says why it could not. */
export function UploadButton({ label, onUploaded, children }: UploadButtonProps) {
  const { client } = useSession();
  // What is edited while a picture is uploaded stays.
  const newest = useRef(onUploaded);
  newest.current = onUploaded;
  const upload = useAction(async (chosen: File) => {
    const { url } = await client.images.upload(await fitted(chosen));
    newest.current(url);
  });
  return (
    <>
      <div class="actions">
        <label class="quiet small file">
          {upload.isBusy ? 'Uploading …' : label}
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
        {children}
      </div>
      <div role="alert">{upload.error !== undefined && <p class="notice error">{messageOf(upload.error)}</p>}</div>
    </>
  );
}
