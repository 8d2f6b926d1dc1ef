import { composeDefinition } from '../graph/simple-definition';
import { buttonOf } from './button';
import type { Reviewed } from './checks';
import { reviewOf } from './review';
import { type Jurisdiction, JURISDICTIONS } from '../../workspaces/jurisdictions';

const OFFERS = ['a', 'b', 'c'];
const exit = {
  enabled: true,
  kinds: ['termination' as const, 'withdrawal' as const],
  recipient_email: 'contracts@acme.example',
  confirmation_from: null,
  session_receipts: true,
};

const button = (target: string) => buttonOf('leaving', { button_leads_to: target });

function flow(ids: string[], changes: Partial<Reviewed> = {}, cta_decline = 'No, thanks'): Reviewed {
  const offers = new Map(ids.map((id) => [id, { texts: { cta_accept: 'Take it', cta_decline }, translations: {} }]));
  const seen = { exit, button: button('exit'), sendsMails: true };
  return { flow_mode: 'simple', definition: composeDefinition(ids), offers, ...seen, ...changes };
}

const withComment = composeDefinition([], {
  title: 'Why?',
  comment: 'required',
  options: [{ value: 'a', label: 'A' }],
});

const found = (reviewed: Reviewed, jurisdictions = JURISDICTIONS.slice()) =>
  reviewOf(reviewed, jurisdictions).map(({ jurisdiction, rule, pointer }) => `${jurisdiction} ${rule} ${pointer}`);

describe('The review of a flow', () => {
  it('finds nothing in a flow without offers whose exit page is open', () => expect(found(flow([]))).toEqual([]));

  it('finds the page of offers behind the German button, and that there is no receipt', () =>
    expect(found(flow(['a'], { exit: null }), ['de'])).toEqual([
      'de direct_page /offer_ids/0',
      'de withdrawal_function /exit',
      'de receipt /exit',
    ]));

  it.each([
    ['leads to the widget', 'widget', 'direct_button /install/button_leads_to'],
    ['leads to the page of the flow', 'https://rf.example/leave/leaving', 'direct_button /install/button_leads_to'],
    ['leads to a page of its own', 'https://acme.example/leave', 'own_page /install/button_leads_to'],
    ['leads to the exit page of another flow', 'https://rf.example/exit/other', 'own_page /install/button_leads_to'],
  ])('finds a button of the page that %s, where it has to lead straight to the exit page', (_, target, finding) => {
    expect(found(flow([], { button: button(target) }))).toEqual([`de ${finding}`, `fr ${finding}`]);
    expect(found(flow([], { button: button('https://rf.example/exit/leaving?lang=de') }))).toEqual([]);
  });

  it('takes a button of which nobody said anything for the snippet that the console shows', () =>
    expect(found(flow([], { button: buttonOf('leaving', null) }), ['de'])).toEqual(['de direct_button /install']));

  it('does not ask for an exit page where the button leads to a page that it does not see', () =>
    expect(found(flow(['a'], { exit: null, button: button('https://acme.example/leave') }), ['us-ny', 'au'])).toEqual(
      [],
    ));

  it('reads rules of the Union in a member state, and federal ones in a state, once each', () => {
    const plain = flow([], { exit: null, definition: withComment });
    const of = (...places: Jurisdiction[]) => found(plain, places).filter((finding) => !finding.includes('receipt'));
    const answer = 'free_to_go /survey/comment';
    expect(of('es')).toContain(`es ${answer}`);
    expect(of('de')).toEqual(['de direct_page /exit', 'de withdrawal_function /exit', `de ${answer}`]);
    expect(of('de', 'eu').filter((finding) => finding.endsWith(answer))).toEqual([`eu ${answer}`]);
    expect(of('us-ct')).toEqual([`us-ct ${answer}`]);
    expect(of('us-ct', 'us')).toEqual([`us ${answer}`]);
  });

  it.each([
    'No, I hate saving money',
    "I'd rather pay full price",
    "No thanks, I'll pay full price",
    "I don't want a discount",
    'I do not want to save money',
    'I love wasting money',
    'Nein, ich hasse es zu sparen',
    'Ich möchte keinen Rabatt',
    'Ich verzichte gern auf den Rabatt',
  ])('finds a text that shames whoever leaves: %s', (text) => {
    const question = {
      title: 'Why?',
      options: [
        { value: 'a', label: text },
        { value: 'b', label: 'B', comment_label: text },
      ],
    };
    expect(found(flow([], { definition: composeDefinition([], question) }), ['eu'])).toEqual([
      'eu no_shaming /survey/options/0/label',
    ]);
    const translations = { de: { 'points/1': text } };
    const offers = new Map([['a', { texts: { cta_decline: 'No, thanks' }, translations }]]);
    expect(found(flow(['a'], { offers }), ['eu'])).toEqual(['eu no_shaming /offer_ids/0']);
  });

  it.each([
    "I don't need it any more",
    'I want to save money',
    'Ich zahle mehr, als ich nutze',
    "I don't like the design",
    "I don't need savings any more",
    "I don't want deals by mail",
    "I'd rather pay extra for a bigger plan",
    'Ich möchte Geld sparen',
    'Ich brauche einen Rabatt',
    'Ich zahle lieber jährlich',
  ])('takes a reason for a reason: %s', (label) => {
    const question = { title: 'Why?', options: [{ value: 'a', label }] };
    expect(found(flow([], { definition: composeDefinition([], question) }))).toEqual([]);
  });

  it('finds words of the page that hide the link that cancels', () => {
    expect(found(flow([], { cancel_label: 'Maybe later' }))).toEqual([
      'in no_shaming_of_page /cancel_label',
      'eu plain_labels_of_page /cancel_label',
      'us-ca plain_labels_of_page /cancel_label',
      'kr plain_labels_of_page /cancel_label',
    ]);
    for (const cancel_label of ['Cancel now', 'Continue to cancel', 'Weiter zur Kündigung'])
      expect(found(flow([], { cancel_label }))).toEqual([]);
  });

  it('finds receipts that a service without a mail server never sends', () => {
    expect(found(flow([], { sendsMails: false }), ['de', 'eu'])).toEqual([
      'de sent_receipt /exit',
      'eu sent_receipt /exit',
    ]);
    expect(found(flow([], { sendsMails: false, exit: null }), ['uk'])).toEqual(['uk receipt /exit']);
  });

  it('finds offers in a row, and in the United Kingdom counts the question before them', () => {
    expect(found(flow(OFFERS), ['us'])).toEqual(['us reasonable_offers /offer_ids/2']);
    expect(found(flow(OFFERS), ['uk'])).toEqual([
      'uk reasonable_offers /offer_ids/1',
      'uk reasonable_offers /offer_ids/2',
    ]);
  });

  it('finds a second question, where its author wrote it', () => {
    const survey = (key: string, next: string) => ({
      key,
      type: 'survey' as const,
      config: { title: 'Why?', options: [{ value: 'a', label: 'A' }] },
      next,
    });
    const nodes = [
      survey('x', 'y'),
      survey('y', 'z'),
      { key: 'z', type: 'confirm' as const, config: { title: 'Sure?' } },
    ];
    expect(found(flow([], { flow_mode: 'advanced', definition: { entry: 'x', nodes } }), ['us'])).toEqual([
      'us surveys_in_a_row /definition/nodes/1',
    ]);
  });

  it('finds any offer for Minnesota', () =>
    expect(found(flow(['a']), ['us-mn'])).toEqual(['us-mn no_offer_before_leaving /offer_ids/0']));

  it('finds a label that hides what it does in a translation', () => {
    const translations = { de: { cta_decline: 'Später' } };
    const offers = new Map([['a', { texts: { cta_accept: 'Take it', cta_decline: 'No, thanks' }, translations }]]);
    expect(found(flow(['a'], { offers }), ['in'])).toEqual(['in no_shaming /offer_ids/0']);
  });

  it.each([
    'Keep my plan',
    'Maybe later',
    'No, I hate saving money',
    'Take it',
    'Später',
    'Nein, ich hasse es zu sparen',
  ])('finds a label that hides what it does: %s', (label) =>
    expect(found(flow(['a'], {}, label), ['eu'])).toEqual(['eu plain_labels /offer_ids/0']),
  );

  it.each([
    'No, thanks',
    'Continue to cancel',
    'Weiter zur Kündigung',
    "I don't want this offer",
    'Nein, kein Angebot',
  ])('takes a label that says what it does: %s', (label) => expect(found(flow(['a'], {}, label), ['eu'])).toEqual([]));

  it('finds no offer before leaving where there is none', () =>
    expect(found(flow([], { exit: null }), ['us-ny', 'us-va', 'es', 'au'])).not.toContainEqual(
      expect.stringContaining('easy_way'),
    ));

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
    expect(found(flow(['a'], { flow_mode: 'advanced', definition: { entry: 'x', nodes } }), ['us'])).toEqual([]);
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
