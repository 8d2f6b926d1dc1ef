import { useEffect, useRef } from 'preact/hooks';
import { useRoute } from '../shell/route';

interface OpenedProps {
  section: 'billing' | 'customer-keys';
  /** Whether the section is read: what comes later does not move it. */
  isReady?: boolean;
}

/** Brings a section of the settings into view, once, if a link led to it, such as `/settings?section=billing`. */
export function Opened({ section, isReady = true }: OpenedProps) {
  const isWanted = useRoute().query.get('section') === section;
  const isDone = useRef(false);
  useEffect(() => {
    if (!isWanted || !isReady || isDone.current) return;
    isDone.current = true;
    document.getElementById(`${section}-heading`)?.scrollIntoView();
  }, [isWanted, isReady]);
  return null;
}
