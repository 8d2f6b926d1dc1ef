import type { Alert, Draft, Image, Shown, Step, Survey } from '../headless/types.ts';
import type { Messages } from './messages.ts';

/** The content of the dialog. */
export interface Page {
  title: string;
  body?: string;
  image?: Image | null;
  points?: string[];
  survey?: Survey;
  /** To choose from. */
  months?: number[];
  /** What was entered here before. */
  draft?: Draft;
  /** The first one is the main button. */
  buttons: Button[];
}

type Button = [label: string, action: Action];

/** What a button does: a step, closing the dialog, or going to the cancellation page. */
export type Action = Step['action'] | 'close' | 'leave';

/** The page of a view. A node of an unknown type has a title and "Cancel my subscription". */
export function pageOf(view: Exclude<Shown, { type: 'nothing' }>, messages: Messages): Page {
  const cancel: Button = [messages.cancel, 'cancel'];
  const keep: Button = [messages.keep, 'keep'];
  if (view.type === 'starting') return { title: messages.moment, buttons: [cancel] };
  if (view.type === 'saved' || view.type === 'contacted') {
    const close: Button = [messages.close, 'close'];
    return {
      title: messages.thanks,
      ...view.closing,
      buttons: view.type === 'saved' ? [close] : [close, cancel],
    };
  }
  if (view.type === 'canceled') return { ...view.closing, buttons: [[messages.continue, 'leave']] };
  const { type, config } = view.node;
  switch (type) {
    case 'start':
      return { ...config, buttons: [[messages.continue, 'continue'], keep, cancel] };
    case 'survey':
      return { ...config, survey: config, draft: view.draft, buttons: [[messages.continue, 'answer'], cancel] };
    case 'offer':
      return {
        title: config.heading,
        body: config.body,
        image: config.image,
        points: config.points,
        months: config.months,
        draft: view.draft,
        buttons: [[config.cta_accept, 'accept'], [config.cta_decline, 'decline'], cancel],
      };
    case 'custom':
      return { title: config.title, buttons: [[messages.continue, 'answer'], cancel] };
    case 'confirm':
      return { ...config, buttons: [[messages.cancel, 'confirm'], keep] };
    default:
      return { title: messages.cancel, buttons: [cancel] };
  }
}

/** The words of an alert. */
export const TEXT_OF: Record<Alert, keyof Messages> = {
  not_sent: 'notSent',
  not_confirmed: 'notConfirmed',
  restarted: 'restarted',
};

/** Whether a button does nothing while a step is under way. The way out works until it is taken. */
export function isBlocked(action: Action, busy?: Step): boolean {
  return !!busy && !(isWayOut(action) && !isWayOut(busy.action));
}

export function isWayOut(action: Action): boolean {
  return action === 'cancel' || action === 'confirm';
}

/** How a button looks: the parts that it is. */
export function partOf(action: Action, isMain: boolean): 'cancel' | 'secondary' | 'primary' | 'primary cancel' {
  if (action === 'cancel') return action;
  if (!isMain) return 'secondary';
  return action === 'confirm' ? 'primary cancel' : 'primary';
}
