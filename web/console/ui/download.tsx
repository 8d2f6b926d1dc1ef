import { useEffect, useRef } from 'preact/hooks';
import { useAction } from './action';
import { messageOf } from './problem';

interface DownloadProps {
  /** What the file is called. */
  name: string;
  load: (signal: AbortSignal) => Promise<Response>;
}

/** Saves a file of the service. It is read with the key, which a link cannot carry. */
export function Download({ name, load }: DownloadProps) {
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const download = useAction(async () => {
    const { signal } = leaving.current;
    try {
      save(name, await (await load(signal)).blob());
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
  return (
    <div class="download">
      <button type="button" class="quiet" disabled={download.isBusy} onClick={() => download.run()}>
        {download.isBusy ? 'Downloading …' : 'Download CSV'}
      </button>
      <div role="alert">{download.error !== undefined && <p class="wrong">{messageOf(download.error)}</p>}</div>
    </div>
  );
}

/** Saves a file that the page has made. */
export function save(name: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
