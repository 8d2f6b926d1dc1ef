import { durationIn } from './duration';

describe('A duration in another language', () => {
  it.each([
    ['2 months', 'de', '2 Monate'],
    ['1 month', 'de', '1 Monat'],
    [' 14 Days ', 'fr', '14\u00a0jours'],
    ['3 months', 'he', '3 חודשים'],
    ['30 minutes', 'es', '30 minutos'],
    ['2 months', 'ja', '2 か月'],
    ['1, 2, or 3 months', 'en', '1, 2, or 3 months'],
    ['1, 2, or 3 months', 'de', '1, 2 oder 3 Monate'],
    ['1 or 3 months', 'fr', '1 ou 3\u00a0mois'],
    ['3, 1, or 2 months', 'he', '3 חודשים, 1 חודש או חודשיים'],
    ['1, 2 and 3 months', 'de', '1, 2 and 3 months'],
    ['as long as you stay', 'de', 'as long as you stay'],
    ['2 Monate', 'fr', '2 Monate'],
    ['', 'de', ''],
  ])('of %j in %s is %j', (text, language, words) => expect(durationIn(text, language)).toBe(words));
});
