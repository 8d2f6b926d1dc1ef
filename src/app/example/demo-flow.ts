import type { FlowDefinition } from '../../flows/graph/flow-definition';
import { HALF_PRICE, PAUSE } from './acme-pro';

/** Marks everything that is made up, wherever its name stands. */
const MARK = '(example data)';

export const DEMO_FLOW = `Leaving Acme Pro ${MARK}`;

/** Begins the slugs of flows with made-up sessions. */
export const DEMO_SLUG = 'leaving-acme-pro-example-data-';

interface Reason {
  value: string;
  label: string;
  german: string;
  /** The share of customers who answer it. */
  share: number;
  /** The share of those who stay if they are asked well. */
  stay: number;
  /** What customers write, in the languages of the flow. */
  comments: Record<'en' | 'de', string[]>;
}

export const REASONS: Reason[] = [
  {
    value: 'too_expensive',
    label: 'Too expensive',
    german: 'Zu teuer',
    share: 0.46,
    stay: 0.46,
    comments: {
      en: [
        'Twice what I paid last year.',
        'We had to cut the budget for tools.',
        'Fine for a team, too much for one person.',
        'I would stay for less, but not at this price.',
        'The price went up again without notice.',
        'We pay for five seats and use two.',
      ],
      de: [
        'Für eine Person ist es zu teuer.',
        'Wir müssen bei den Werkzeugen sparen.',
        'Der Preis ist seit dem Frühjahr stark gestiegen.',
        'Für zwei Nutzer lohnt es sich nicht.',
      ],
    },
  },
  {
    value: 'not_using',
    label: 'I do not use it enough',
    german: 'Ich nutze es zu selten',
    share: 0.22,
    stay: 0.5,
    comments: {
      en: [
        'I only need it in summer.',
        'My project is on hold until March.',
        'I open it once a month at most.',
        'We hired somebody who does this for us.',
        'On parental leave until autumn.',
      ],
      de: ['Mein Projekt ruht bis zum Frühjahr.', 'Ich brauche es nur im Sommer.', 'Ich komme nur noch selten dazu.'],
    },
  },
  {
    value: 'missing_features',
    label: 'It lacks something I need',
    german: 'Mir fehlt eine Funktion',
    share: 0.16,
    stay: 0.16,
    comments: {
      en: ['No export to Excel.', 'I need more than one currency.', 'There is no app for my tablet.'],
      de: ['Der Export nach Excel fehlt.', 'Ich brauche Rechnungen in zwei Währungen.'],
    },
  },
  {
    value: 'switching',
    label: 'I am switching to something else',
    german: 'Ich wechsle zu einem anderen Anbieter',
    share: 0.1,
    stay: 0.08,
    comments: {
      en: ['My new employer uses another tool.'],
      de: ['Meine neue Firma nutzt ein anderes Programm.'],
    },
  },
  {
    value: 'other',
    label: 'Something else',
    german: 'Etwas anderes',
    share: 0.06,
    stay: 0.12,
    comments: { en: ['I am retiring. Thank you for the years.'], de: ['Ich gehe in Rente. Danke für die Jahre.'] },
  },
];

const HALF_PRICE_IN_GERMAN = {
  heading: 'Bleiben Sie zum halben Preis',
  body: 'Sie behalten alles und zahlen drei Monate lang die Hälfte.',
  cta_accept: '50 % Rabatt nehmen',
};

const YEAR_IN_GERMAN = {
  heading: 'Bleiben Sie für 20 % weniger',
  body: 'Sie behalten alles und zahlen ein Jahr lang 20 % weniger.',
  cta_accept: '20 % Rabatt nehmen',
};

const PAUSE_IN_GERMAN = {
  heading: 'Machen Sie lieber eine Pause',
  body: 'Wir berechnen einen Monat lang nichts und bewahren alles auf.',
  cta_accept: 'Pause machen',
};

export const DEMO_OFFERS = {
  half: { ...HALF_PRICE, name: `Half price for three months ${MARK}`, translations: { de: HALF_PRICE_IN_GERMAN } },
  year: {
    ...HALF_PRICE,
    name: `20% off for a year ${MARK}`,
    offer_value: '20%',
    offer_duration: '12 months',
    heading: 'Stay for 20% less',
    body: 'Keep everything you have, for 20% less over the next year.',
    cta_accept: 'Take 20% off',
    terms: { percent_off: 20, duration: 'repeating' as const, months: 12 },
    translations: { de: YEAR_IN_GERMAN },
  },
  pause: { ...PAUSE, name: `Pause for a month ${MARK}`, translations: { de: PAUSE_IN_GERMAN } },
};

/**
 * Asks for the reason, compares two discounts where it is the price, and offers a pause to who does not use it enough.
 */
export const demoGraph = ({ half, year, pause }: Record<keyof typeof DEMO_OFFERS, string>): FlowDefinition => ({
  entry: 'start',
  nodes: [
    {
      key: 'start',
      type: 'start',
      config: {
        title: 'Before you go',
        body: 'Tell us why you are leaving Acme Pro. It takes a minute.',
        translations: {
          de: { title: 'Bevor Sie gehen', body: 'Sagen Sie uns, warum Sie Acme Pro verlassen. Es dauert eine Minute.' },
        },
      },
      next: 'reason',
    },
    {
      key: 'reason',
      type: 'survey',
      config: {
        title: 'Why are you leaving?',
        comment: 'optional',
        options: REASONS.map(({ value, label }) => ({
          value,
          label,
          ...(value === 'too_expensive' && { next: 'discount' }),
          ...(value === 'not_using' && { next: 'pause' }),
        })),
        translations: {
          de: {
            title: 'Warum gehen Sie?',
            options: Object.fromEntries(REASONS.map(({ value, german }) => [value, german])),
          },
        },
      },
      next: 'confirm',
    },
    {
      key: 'discount',
      type: 'split',
      config: {
        ways: [
          { name: 'half', weight: 1, next: 'half' },
          { name: 'year', weight: 1, next: 'year' },
        ],
      },
    },
    { key: 'half', type: 'offer', config: { offer_id: half }, next: 'confirm' },
    { key: 'year', type: 'offer', config: { offer_id: year }, next: 'confirm' },
    { key: 'pause', type: 'offer', config: { offer_id: pause }, next: 'confirm' },
    {
      key: 'confirm',
      type: 'confirm',
      config: {
        title: 'Cancel your subscription?',
        body: 'You can use Acme Pro until the end of the month.',
        translations: {
          de: { title: 'Abonnement kündigen?', body: 'Sie können Acme Pro bis zum Ende des Monats nutzen.' },
        },
      },
    },
  ],
});
