import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useRecovery } from '../shell/service-status';
import { Waiting } from './loading';
import { Problem } from './problem';

interface PageOf<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** A list that is read page by page, as far as somebody scrolls. */
export interface Pages<Item> {
  /** Each page as it was read. A page never changes, so it is drawn once. */
  pages: Item[][];
  isLoading: boolean;
  hasMore: boolean;
  error: unknown;
  more: () => void;
  /** Begins anew. */
  reload: () => void;
}

type Load<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<PageOf<Item>>;

/** Reads the first page, and begins anew whenever `inputs` change. */
export function usePages<Item>(load: Load<Item>, inputs: unknown[]): Pages<Item> {
  const [pages, setPages] = useState<Item[][]>([]);
  /** null: there is no more. */
  const [cursor, setCursor] = useState<string | null>();
  const [isLoading, setIsLoading] = useState(true);
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const reading = useRef<AbortController>(null);

  const read = async (from: string | undefined) => {
    reading.current?.abort();
    const own = (reading.current = new AbortController());
    setIsLoading(true);
    setError(undefined);
    try {
      const { items, next_cursor } = await load(from, own.signal);
      if (own.signal.aborted) return;
      setPages((before) => [...(from === undefined ? [] : before), items]);
      setCursor(next_cursor);
    } catch (error) {
      if (own.signal.aborted) return;
      setError(error);
      // What is left is of other filters.
      if (from === undefined) setPages([]);
    }
    setIsLoading(false);
  };

  useEffect(() => {
    setCursor(undefined);
    void read(undefined);
    return () => reading.current?.abort();
  }, [...inputs, round]);

  const more = () => void read(cursor ?? undefined);
  // Of the first page the cursor is not known yet.
  useRecovery(error !== undefined, more);

  return {
    pages,
    isLoading,
    hasMore: cursor !== null,
    error,
    more,
    reload: useCallback(() => setRound((round) => round + 1), []),
  };
}

/** Stands below a list: reads on as soon as it comes into sight, and says when it cannot. */
export function MoreOf<Item>({ list }: { list: Pages<Item> }) {
  const end = useRef<HTMLDivElement>(null);
  const { isLoading, hasMore, error, more, reload, pages } = list;
  const shouldRead = !isLoading && hasMore && error === undefined;
  useEffect(() => {
    if (!shouldRead) return undefined;
    const observer = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && more(), {
      rootMargin: '600px',
    });
    observer.observe(end.current!);
    return () => observer.disconnect();
  }, [shouldRead, pages.length]);
  return (
    <div ref={end} class="more-of" aria-busy={isLoading}>
      {error !== undefined && <Problem error={error} onRetry={pages.length > 0 ? more : reload} />}
      {isLoading && <Waiting />}
    </div>
  );
}
