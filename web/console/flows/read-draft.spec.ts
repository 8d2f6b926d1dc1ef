import type { Flow, FlowDraft } from '@retention-flow/client';
import { CONTENT_FIELDS } from './flow-fields';
import { withDraft } from './read-draft';

it('A flow with its draft has from the draft all that customers see, and nothing else', () => {
  const draft = Object.fromEntries([...CONTENT_FIELDS, 'updated_at', 'faults'].map((field) => [field, 'of the draft']));
  const live = { id: '1', description: 'live', cancel_in_billing: false, updated_at: 'live' } as unknown as Flow;
  const shown = withDraft(live, draft as unknown as FlowDraft);
  expect(shown).toEqual({
    ...live,
    ...Object.fromEntries(CONTENT_FIELDS.map((field) => [field, 'of the draft'])),
  });
  expect(shown).toMatchObject({ cancel_in_billing: 'of the draft', description: 'live', updated_at: 'live' });
});
