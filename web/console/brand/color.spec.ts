import { isColor, longColor } from './color';

it('has colours that a picker understands', () => {
  expect([longColor('#1aF'), longColor('#4f46e5')]).toEqual(['#11aaFF', '#4f46e5']);
  expect(['#1aF', '#4f46e5', '#4f46e', 'red', ''].map(isColor)).toEqual([true, true, false, false, false]);
});
