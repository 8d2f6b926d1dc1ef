import { translationsOfPoints } from './points';

describe('The translations of points', () => {
  const inGerman = (before: string[], after: string[], points: string[]) =>
    translationsOfPoints(before, after, { de: { title: 'Halt', points } }).de;

  it.each<[string, string[], string[], string[] | undefined]>([
    ['go with lines that are moved', ['One', 'Two'], ['Two', 'One'], ['Zwei', 'Eins']],
    ['go with lines behind a new one', ['One', 'Two'], ['New', 'One', 'Two'], ['', 'Eins', 'Zwei']],
    ['go with a line that is removed', ['One', 'Two'], ['Two'], ['Zwei']],
    ['stay with a line that is changed in its place', ['One', 'Two'], ['One!', 'Two'], ['Eins', 'Zwei']],
    ['go with the last line', ['One', 'Two'], ['One'], ['Eins']],
    ['go with all of them', ['One', 'Two'], [], undefined],
  ])('%s', (_, before, after, points) => {
    expect(inGerman(before, after, ['Eins', 'Zwei'])).toEqual({ title: 'Halt', ...(points && { points }) });
  });

  it('are none where there were none', () => {
    expect(translationsOfPoints(['One'], ['Two'], { de: { title: 'Halt' } })).toEqual({ de: { title: 'Halt' } });
  });
});
