import type { Offer } from '@retention-flow/client';
import { csvOf, readCsv } from './csv';
import { changedOffers, isChanged, isFlowChanged, languagesIn, missingIn, textsOf, write, type Words } from './texts';

const OFFER = {
  id: '1',
  name: 'Half price',
  heading: '=Stay',
  body: '',
  cta_accept: 'Take it',
  cta_decline: 'No',
  accepted_title: '',
  accepted_body: '',
  translations: { fr: { heading: 'Restez' } },
} as unknown as Offer;

const WORDS = {
  flow: {
    flow_mode: 'advanced',
    locale: 'en',
    survey: null,
    canceled_title: 'Goodbye',
    canceled_body: '',
    translations: {},
    definition: {
      entry: 'why',
      nodes: [
        {
          key: 'why',
          type: 'survey',
          config: {
            title: 'Why, "{{name|you}}"?',
            body: 'Say it,\nplease.',
            options: [{ value: 'price', label: 'The price' }],
            translations: { de: { title: 'Warum?' } },
          },
          next: 'end',
        },
        { key: 'end', type: 'confirm', config: { title: 'Leave?' } },
      ],
    },
  },
  offers: [OFFER],
} as Words;

const inGerman = (words: Words) => textsOf(words).map((text) => text.in('de'));

it('The texts of a flow and its offers are all that its customers read, with the same in other languages', () => {
  expect(textsOf(WORDS).map(({ id, original }) => [id, original])).toEqual([
    ['pages/why/title', 'Why, "{{name|you}}"?'],
    ['pages/why/body', 'Say it,\nplease.'],
    ['pages/why/options/price', 'The price'],
    ['pages/end/title', 'Leave?'],
    ['end/canceled/canceled_title', 'Goodbye'],
    ['offers/1/heading', '=Stay'],
    ['offers/1/cta_accept', 'Take it'],
    ['offers/1/cta_decline', 'No'],
  ]);
  expect(languagesIn(WORDS)).toEqual(['de', 'fr']);
  expect(missingIn(WORDS, 'de-AT').map(({ id }) => id)).not.toContain('pages/why/title');
  expect(missingIn(WORDS, 'fr')).toHaveLength(7);
  const { flow } = WORDS;
  expect(textsOf({ flow: { ...flow, flow_mode: 'simple', canceled_title: '' }, offers: [] })).toEqual([]);
});

it('A translation is written, and what is emptied is gone', () => {
  const priced = write(WORDS, 'pages/why/options/price', 'de', 'Der Preis');
  const some = write(
    write(priced, 'offers/1/heading', 'de', 'Bleiben'),
    'end/canceled/canceled_title',
    'de',
    'Auf Wiedersehen',
  );
  expect(inGerman(some)).toEqual(['Warum?', '', 'Der Preis', '', 'Auf Wiedersehen', 'Bleiben', '', '']);
  expect(some.flow.translations).toEqual({ de: { canceled_title: 'Auf Wiedersehen' } });
  expect(changedOffers(WORDS, some)).toMatchObject([{ translations: { de: { heading: 'Bleiben' } } }]);
  const emptied = textsOf(some).reduce((words, { id }) => write(words, id, 'de', ' '), some);
  expect(languagesIn(emptied)).toEqual(['fr']);
  expect(emptied.flow.definition.nodes[0].config).not.toHaveProperty('translations');
  expect(emptied.offers).toEqual(WORDS.offers);
});

it('What of a flow and its offers is saved is no change, whatever else the answer says', () => {
  const some = write(write(WORDS, 'pages/end/title', 'de', 'Gehen?'), 'offers/1/heading', 'de', 'Bleiben');
  const saved = { ...WORDS, flow: { ...some.flow, updated_at: 'now' } };
  expect([isFlowChanged(WORDS, some), isFlowChanged(saved, some), isChanged(saved, some)]).toEqual([true, false, true]);
  expect(isChanged({ ...saved, offers: some.offers }, some)).toBe(false);
});

it('An offer that is written in another language is told in the words of the flow', () => {
  const originals = (locale: string) =>
    textsOf({ ...WORDS, flow: { ...WORDS.flow, locale } }).map(({ original }) => original);
  expect(originals('fr').slice(-3)).toEqual(['Restez', 'Take it', 'No']);
});

describe('A file for a translator', () => {
  const texts = textsOf(WORDS);
  const translated = ['Warum, "{{name|Sie}}"?', 'Sagen,\nbitte.', '-', "'=x", '+49', "=Bleiben;=1\n' +2", "'Ja", ''];

  it.each([',', ';', '\t'])('comes back as it went, whatever is in it, with "%s" between its cells', (delimiter) => {
    const filled = texts.map((text, index) => ({ ...text, in: () => translated[index] }));
    const file = csvOf(filled, 'en', 'de').replaceAll('","', `"${delimiter}"`);
    const read = readCsv(file, texts);
    expect([...read.texts.values()]).toEqual(translated);
    expect([read.language, read.outdated]).toEqual(['de', 0]);
  });

  it('may have lost its quotes, and what was changed meanwhile is left out', () => {
    const file = 'id,where,en,DE-at\npages/end/title,,Leave?,Servus?\npages/why/title,,Why?,Warum?\ngone,,A,B\n';
    const read = readCsv(file, texts);
    expect(read).toEqual({ language: 'de-AT', texts: new Map([['pages/end/title', 'Servus?']]), outdated: 2 });
  });

  it.each(['', 'a,b', '\ufffd', 'id,where,en\n', 'id,where,en,no tag\n'])('is refused if it is none: %j', (file) => {
    expect(() => readCsv(file, texts)).toThrow();
  });

  it('is no formula for a spreadsheet', () => expect(csvOf(texts, 'en', 'de')).toContain(`"'=Stay"`));
});

it('The points and the picture of a page and an offer are among its texts, and points are written by their places', () => {
  const image = { url: '/images/1', alt: 'A map' };
  const start = { key: 'start', type: 'start', config: { title: 'Wait', image, points: ['One', 'Two'] }, next: 'end' };
  const words = {
    flow: { ...WORDS.flow, definition: { entry: 'start', nodes: [start] } },
    offers: [{ ...OFFER, image, points: ['Three'] }],
  } as unknown as Words;
  const ids = textsOf(words).map(({ id }) => id);
  expect(ids.filter((id) => /points|image/.test(id))).toEqual([
    'pages/start/points/0',
    'pages/start/points/1',
    'pages/start/image_alt',
    'offers/1/points/0',
    'offers/1/image_alt',
  ]);
  const second = write(words, 'pages/start/points/1', 'de', 'Zwei');
  expect(second.flow.definition.nodes[0].config).toMatchObject({ translations: { de: { points: ['', 'Zwei'] } } });
  expect(write(second, 'pages/start/points/1', 'de', '').flow).toEqual(words.flow);
  const offer = write(write(words, 'offers/1/points/0', 'de', 'Drei'), 'offers/1/image_alt', 'de', 'Eine Karte');
  expect(offer.offers[0].translations).toMatchObject({ de: { points: ['Drei'], image_alt: 'Eine Karte' } });
  expect(
    textsOf(offer)
      .find(({ id }) => id === 'offers/1/points/0')!
      .in('de'),
  ).toBe('Drei');
});
