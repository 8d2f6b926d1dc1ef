/** The states of flows, offers, sessions, deliveries and keys, in words and colour. */
const TONES: Record<string, string> = {
  published: 'good',
  active: 'good',
  enabled: 'good',
  saved: 'good',
  delivered: 'good',
  applied: 'good',
  done: 'good',
  in_progress: 'calm',
  pending: 'calm',
  draft: 'calm',
  dry_run: 'calm',
  canceled: 'bad',
  failed: 'bad',
  manual: 'bad',
  due: 'bad',
  disabled: 'bad',
  revoked: 'bad',
  expired: 'bad',
};

export function Badge({ status }: { status: string }) {
  return <span class={`badge ${TONES[status] ?? ''}`}>{status.replaceAll('_', ' ')}</span>;
}
