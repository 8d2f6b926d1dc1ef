import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  title: string;
  /** What leads back: the page above. */
  above?: { href: string; name: string };
  /** Beside the title, such as the status. */
  beside?: ComponentChildren;
  /** Buttons for the whole page. */
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

/** A page with its heading, which gets the focus, so that screen readers say where one is. */
export function Page({ title, above, beside, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Retention Flow Console`;
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <div class="page">
      <div class="page-head">
        <div>
          {above && (
            <a class="above" href={above.href}>
              ← {above.name}
            </a>
          )}
          <div class="page-title">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {beside}
          </div>
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
