import { composeDefinition } from '../simple-definition';
import type { Reviewed } from './checks';
import { reviewOf } from './review';
import { JURISDICTIONS } from './rule';

const OFFERS = ['a', 'b', 'c'];
const exit = {
  enabled: true,
  kinds: ['termination' as const, 'withdrawal' as const],
  recipient_email: 'contracts@acme.example',
  confirmation_from: null,
  session_receipts: true,
};

function flow(ids: string[], changes: Partial<Reviewed> = {}, cta_decline = 'No, thanks'): Reviewed {
  const offers = new Map(ids.map((id) => [id, { cta_accept: 'Take it', cta_decline }]));
  return { flow_mode: 'simple', definition: composeDefinition(ids), exit, sendsMails: true, offers, ...changes };
}

const found = (reviewed: Reviewed, jurisdictions = JURISDICTIONS.slice()) =>
  reviewOf(reviewed, jurisdictions).map(({ jurisdiction, rule, pointer }) => `${jurisdiction} ${rule} ${pointer}`);

describe('The review of a flow', () => {
  it('finds nothing in a flow without offers whose exit page is open', () => expect(found(flow([]))).toEqual([]));

  it('finds the page of offers behind the German button, and that there is no receipt', () =>
    expect(found(flow(['a'], { exit: null }), ['de'])).toEqual(['de direct_page /offer_ids/0', 'de receipt /exit']));

  it('finds receipts that a service without a mail server never sends', () => {
    expect(found(flow([], { sendsMails: false }), ['de', 'eu'])).toEqual([
      'de sent_receipt /exit',
      'eu sent_receipt /exit',
    ]);
    expect(found(flow([], { sendsMails: false, exit: null }), ['uk'])).toEqual(['uk receipt /exit']);
  });

  it('finds offers in a row', () => expect(found(flow(OFFERS), ['uk'])).toEqual(['uk reasonable_offers /offer_ids/2']));

  it.each(['Keep my plan', 'Maybe later', 'No, I hate saving money', 'Take it', 'Später'])(
    'finds a label that hides what it does: %s',
    (label) => expect(found(flow(['a'], {}, label), ['eu'])).toEqual(['eu plain_labels /offer_ids/0']),
  );

  it('finds a question that asks for more than a choice, where its author wrote it', () => {
    const survey = { title: 'Why?', comment: 'required' as const, options: [{ value: 'a', label: 'A' }] };
    const definition = composeDefinition([], survey);
    expect(found(flow([], { definition }), ['eu'])).toEqual(['eu free_to_go /survey/comment']);
    expect(found(flow([], { definition, flow_mode: 'advanced' }), ['eu'])).toEqual([
      'eu free_to_go /definition/nodes/1/config/comment',
    ]);
  });

  it('ends in a draft that leads in a circle, or nowhere', () => {
    const offer = (key: string, next: string) => ({ key, type: 'offer' as const, config: { offer_id: 'a' }, next });
    const nodes = [offer('x', 'y'), offer('y', 'x'), offer('z', 'nowhere')];
    expect(found(flow(['a'], { flow_mode: 'advanced', definition: { entry: 'x', nodes } }), ['uk'])).toEqual([]);
  });

  it('names a source and a day for each rule, the most severe first', () => {
    const findings = reviewOf(flow(OFFERS, { exit: null }), JURISDICTIONS);
    expect(findings[0].severity).toBe('error');
    for (const { source, as_of, message } of findings) {
      expect([source, message].every((text) => text.length > 10)).toBe(true);
      expect(as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });
});
