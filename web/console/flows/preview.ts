import type * as Widget from '../../widget/v1.d';
import { SERVICE } from '../shell/session';

const ENDS: Record<Widget.Result['outcome'], string> = {
  saved: 'The preview ended: the customer stays.',
  canceled: 'The preview ended: the customer goes on to your cancellation page.',
  closed: 'The preview was closed.',
  unavailable: 'The preview could not be shown or finished.',
};

/** Walks through a session in the widget, and says how it ended. The page is not left, whatever happens. */
export async function preview(sessionId: string, source: HTMLElement): Promise<string> {
  const stay = (event: Event) => event.preventDefault();
  source.addEventListener('retention-flow:canceled', stay);
  source.addEventListener('retention-flow:unavailable', stay);
  try {
    const { show } = (await import(`${SERVICE}/widget/v1.mjs`)) as typeof Widget;
    const { outcome } = await show({ sessionId, source, colorScheme: 'auto' });
    return ENDS[outcome];
  } finally {
    source.removeEventListener('retention-flow:canceled', stay);
    source.removeEventListener('retention-flow:unavailable', stay);
  }
}
