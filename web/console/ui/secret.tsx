import { useState } from 'preact/hooks';
import { useAction } from './action';

/** Something to copy, such as a key that is shown only once. */
export function Secret({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState<string>();
  const copy = useAction(async () => {
    await navigator.clipboard.writeText(value);
    setCopied(value);
  });
  return (
    <div class="secret">
      <span class="soft">{label}</span>
      <code>{value}</code>
      {/* Pages have no clipboard without https. */}
      {'clipboard' in navigator && (
        <button type="button" class="quiet small" onClick={() => copy.run()}>
          {copied === value ? 'Copied' : 'Copy'}
        </button>
      )}
      {copy.error !== undefined && <p class="wrong">It could not be copied. Select it instead.</p>}
    </div>
  );
}
