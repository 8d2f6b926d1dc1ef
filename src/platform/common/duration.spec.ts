import { durationIn } from './duration';

describe('A duration in another language', () => {
  it.each([
    ['2 months', 'de', '2 Monate'],
    ['1 month', 'de', '1 Monat'],
    [' 14 Days ', 'fr', '14\u00a0jours'],
    ['3 months', 'he', '3 חודשים'],
    ['30 minutes', 'es', '30 minutos'],
    ['2 months', 'ja', '2 か月'],
    ['as long as you stay', 'de', 'as long as you stay'],
    ['2 Monate', 'fr', '2 Monate'],
    ['', 'de', ''],
  ])('of %j in %s is %j', (text, language, words) => expect(durationIn(text, language)).toBe(words));
});
