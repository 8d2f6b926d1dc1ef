import type { Fulfilment } from './fulfilment.entity';

/**
 * The state that a customer sees. What this service does not carry out is `none`, for good. What it does is `pending`
 * until it is `applied`, also if it is left to a person later. A customer who keeps the subscription reads `none` until
 * a cancellation of ours is taken back, then `applied`: mostly there is none to take back.
 */
export const SHOWN_FULFILMENTS = ['none', 'pending', 'applied'] as const;
export type ShownFulfilment = (typeof SHOWN_FULFILMENTS)[number];

/** The part of a job that its customer hears of. */
export type ToldJob = Pick<Fulfilment, 'action' | 'mode' | 'state' | 'carried_out_by'>;

/** Whether a person takes care of what the customer decided. */
export const isForPerson = ({ state, carried_out_by }: ToldJob): boolean =>
  carried_out_by === 'person' || (carried_out_by !== 'nobody' && (state === 'manual' || state === 'failed'));

export function shownFulfilmentOf({ action, mode, state, carried_out_by }: ToldJob): ShownFulfilment {
  if (carried_out_by === 'person' || carried_out_by === 'nobody') return 'none';
  if (state === 'applied') return 'applied';
  if (action === 'keep') return 'none';
  // An older version has left it, which told nobody who carries it out.
  const isDry = carried_out_by === null && (mode === 'dry_run' || state === 'dry_run');
  return isDry ? 'none' : 'pending';
}
