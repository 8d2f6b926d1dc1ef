import { useEffect } from 'preact/hooks';
import { useRoute } from '../shell/route';

/** Brings a section of the settings into view, once it is read, if a link led to it, such as `/settings?section=billing`. */
export function Opened({ section }: { section: 'billing' | 'customer-keys' }) {
  const isWanted = useRoute().query.get('section') === section;
  useEffect(() => {
    if (isWanted) document.getElementById(`${section}-heading`)?.scrollIntoView();
  }, [isWanted]);
  return null;
}
