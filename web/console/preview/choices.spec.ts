import type { Flow, Offer } from '@retention-flow/client';
import type { Fact } from '../../../src/conditions/facts';
import { choicesIn, factOf, valueOf } from './choices';

const page = (title: string, body?: string) => ({ key: 'page', type: 'start', config: { title, body }, next: 'x' });

describe('What one chooses for a preview', () => {
  it('is what the conditions of offers ask for, too', () => {
    const when = {
      any: [
        { fact: 'months', is: '>=', value: 6 },
        { attribute: 'tier', is: '=', value: 'gold' },
      ],
    };
    const offer = { heading: '', body: '', cta_accept: '', cta_decline: '', when } as unknown as Offer;
    const { attributes, facts } = choicesIn({ entry: 'page', nodes: [] }, [offer]);
    expect([[...attributes], [...facts]]).toEqual([[['tier', ['gold']]], [['months', [6]]]]);
  });

  it('is each attribute that conditions and texts name, and an arm of each split', () => {
    const nodes = [
      page('Hello {{ first_name |there}}', 'You leave {{product_name}}, {{plan|this}}?'),
      {
        key: 'branch',
        type: 'branch',
        config: {
          ways: [
            {
              when: {
                all: [
                  { attribute: 'plan', is: 'in', value: ['pro', 'team'] },
                  { answer: 'reason', is: '=', value: 'other' },
                  { fact: 'months', is: '>=', value: 6 },
                  { any: [{ attribute: 'seats', is: '>', value: 10 }] },
                ],
              },
              next: 'x',
            },
            {
              when: {
                any: [
                  { attribute: 'plan', is: '=', value: 'pro' },
                  { attribute: 'trial', is: 'exists' },
                ],
              },
            },
          ],
        },
      },
      {
        key: 'test',
        type: 'split',
        config: {
          ways: [
            { name: 'a', weight: 1 },
            { name: 'b', weight: 2 },
            { name: 'ended', weight: 0 },
          ],
        },
      },
      { key: 'offer', type: 'offer', config: { offer_id: '1' }, next: 'x' },
    ];
    const offer = { heading: '{{company|You}}, stay', body: '{{value|less}}', cta_accept: 'Yes', cta_decline: 'No' };
    const definition = { entry: 'page', nodes } as unknown as Flow['definition'];
    const { attributes, facts, splits } = choicesIn(definition, [offer as Offer]);
    expect([...attributes]).toEqual([
      ['first_name', []],
      ['plan', ['pro', 'team']],
      ['seats', [10]],
      ['trial', []],
      ['company', []],
    ]);
    expect([...facts]).toEqual([['months', [6]]]);
    expect([...splits]).toEqual([['test', ['a', 'b']]]);
  });

  it.each<[Fact, string, unknown]>([
    ['months', '7', 7],
    ['months', 'seven', undefined],
    ['months', ' ', undefined],
    ['ends', 'false', false],
    ['status', 'active', 'active'],
    ['status', 'gone', undefined],
    ['plan', ' 2027 ', '2027'],
  ])('of the fact %s, is what %j means', (fact, typed, value) => expect(factOf(fact, typed)).toBe(value));

  it.each([
    ['', [10], undefined],
    [' ', [], undefined],
    ['10', [10], 10],
    ['10', ['10'], '10'],
    ['10', [], '10'],
    ['true', [true, 'x'], true],
    ['pro', [10], 'pro'],
  ])('is the value that %j means beside %j', (typed, known, value) => expect(valueOf(typed, known)).toBe(value));
});
