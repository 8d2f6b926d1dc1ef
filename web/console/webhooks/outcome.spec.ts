import { type Delivery, ofTest } from './outcome';

describe('A test', () => {
  const delivery = (changes: Partial<Delivery>) => ({ last_status: null, last_error: null, ...changes }) as Delivery;

  it.each([
    [delivery({ status: 'delivered', last_status: 204 }), 'The test was delivered. The endpoint answered 204.'],
    [
      delivery({ status: 'failed', last_status: 500, last_error: 'The response was 500.' }),
      'The test failed. The response was 500.',
    ],
    [delivery({ status: 'failed', last_error: 'There was no answer.' }), 'The test failed. There was no answer.'],
    [delivery({ status: 'pending' }), 'The test has not been sent yet. It stands among the deliveries.'],
    [undefined, 'The test has not been sent yet. It stands among the deliveries.'],
  ])('that is %j is told in a sentence', (outcome, sentence) => expect(ofTest(outcome).sentence).toBe(sentence));
});
