import { until } from '../../faults/support/until';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

const PUBLIC = '/api/v1/public';
const THINGS: [
  what: string,
  field: string,
  button: string,
  make: (acme: Acme) => Promise<{ page: string; path: string }>,
][] = [
  [
    'the draft of an offer',
    'Name',
    'Save draft',
    async (acme) => {
      const offer = { name: 'Half price', offer_type: 'discount_percentage' };
      const { id } = await acme.call<{ id: string }>('POST', `${PUBLIC}/offers`, offer);
      return { page: `/offers/${id}`, path: `${PUBLIC}/offers/${id}/draft` };
    },
  ],
  [
    'a webhook',
    'Description',
    'Save',
    async (acme) => {
      const { id } = await acme.call<{ id: string }>('POST', `${PUBLIC}/webhooks`, { url: 'https://acme.example/' });
      return { page: `/webhooks/${id}`, path: `${PUBLIC}/webhooks/${id}` };
    },
  ],
  ['the workspace', 'Name', 'Save', () => Promise.resolve({ page: '/settings', path: `${PUBLIC}/workspace` })],
];

inOneBrowser('In the console', (stage) => {
  it.each(THINGS)(
    '%s is saved as often as somebody presses the button, without a pause',
    async (_, field, button, make) => {
      const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
      const { page, path } = await make(acme);
      const console = await Console.signedIn(stage, page, { key: acme.key });
      await (await console.field(field)).focus();
      await console.page.setRequestInterception(true);
      console.page.on('request', (request) => {
        // What is saved comes back late: a save before that would send an old ETag.
        const isRead = request.method() === 'GET' && request.url().endsWith(path);
        setTimeout(() => void request.continue(), isRead ? 500 : 0);
      });
      for (const text of ['First', 'Second', 'Third']) {
        await console.fill(field, text);
        await console.press(button);
        await console.page.waitForFunction(
          (button) => document.querySelector('form [type=submit]:enabled')?.textContent === button,
          {},
          button,
        );
      }
      const saved = async () => (await acme.call<Record<string, string>>('GET', path))[field.toLowerCase()];
      await until('the last change', async () => (await saved()) === 'Third');
      await console.untilNoText('Somebody else changed this');
    },
  );
});
