import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface EntranceProps {
  title: string;
  /** The title, unless given. */
  heading?: string;
  children: ComponentChildren;
}

/** A page for those who are not in the console yet. */
export function Entrance({ title, heading = title, children }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} – Retention Flow Console`;
  }, [title]);
  return (
    <main class="sign-in">
      <div class="card">
        <img src="console/icon.svg" alt="" width="44" height="44" />
        <h1>{heading}</h1>
        {children}
      </div>
    </main>
  );
}
