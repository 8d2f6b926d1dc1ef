import { until } from '../../faults/support/until';
import { Receiver } from '../../support/receiver';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser, TO_LOOPBACK } from '../support/stage';

const WEBHOOKS = '/api/v1/public/webhooks';
const HOSTILE = '<img src=x onerror=alert(1)>';

interface Webhook {
  id: string;
  url: string;
  description: string;
  event_types: string[];
  status: string;
}

inOneBrowser(
  'Webhooks in the console',
  (stage) => {
    let receiver: Receiver;

    beforeEach(async () => {
      receiver = await Receiver.start();
    });
    afterEach(() => receiver.stop());

    const workspace = () => Acme.create(stage.service, 'https://acme.example/cancel');
    const webhooks = async (acme: Acme) => (await acme.call<{ webhooks: Webhook[] }>('GET', WEBHOOKS)).webhooks;
    const create = (acme: Acme, fields: object = {}) =>
      acme.call<Webhook>('POST', WEBHOOKS, { url: receiver.url, ...fields });

    it('are for Slack or Segment, and then show no secret, and neither the URL of Slack nor the write key', async () => {
      const acme = await workspace();
      const console = await Console.signedIn(stage, '/webhooks', { key: acme.key });
      await console.untilText('No webhooks yet');
      await console.press('New webhook');
      await console.choose('Who gets the events', 'A channel of Slack');
      await console.fill('URL', receiver.url);
      await console.press('Create webhook');
      await console.untilText('must be the whole URL that Slack gives', 'dialog');
      await console.fill('URL', `${receiver.url}services/T0/B0/xyz`);
      expect(await console.looks()).toEqual([]);
      await console.press('Create webhook');
      await console.untilText('Slack is created');
      expect(await console.text()).not.toContain('whsec_');
      await console.press('Slack', 'link');
      await console.press('Send a test');
      await console.untilText('The test was delivered');
      expect(receiver.received[0].path).toBe('/services/T0/B0/xyz');
      expect(await console.text()).not.toContain('xyz');

      await console.choose('Who gets the events', 'A source of Segment');
      await console.fill('URL', `${receiver.url}v1/track`);
      await console.fill('Write key', 'a1B2c3');
      expect(await console.looks()).toEqual([]);
      await console.press('Save');
      await console.untilText('The webhook is saved.');
      await console.untilText('Leave the field empty to keep it.');
      await console.press('Send a test');
      await receiver.untilReceived(2);
      expect(receiver.received[1].headers.authorization).toBe(`Basic ${btoa('a1B2c3:')}`);
    });

    it('are created with a secret that is shown only once', async () => {
      const acme = await workspace();
      const console = await Console.signedIn(stage, '/webhooks', { key: acme.key });
      await console.untilText('No webhooks yet');
      expect(await console.looks()).toEqual([]);
      await console.press('New webhook');
      await console.fill('URL', 'http://10.0.0.1/');
      await console.press('Create webhook');
      await console.untilText('must be https', 'dialog');
      expect(await webhooks(acme)).toEqual([]);

      await console.fill('URL', receiver.url);
      await console.fill('Description', HOSTILE);
      await console.press('session.saved', 'checkbox');
      expect(await console.looks()).toEqual([]);
      await console.press('Create webhook');
      await console.untilText('whsec_');
      await console.untilText(HOSTILE);
      expect(await console.looks()).toEqual([]);
      expect(await webhooks(acme)).toMatchObject([
        { url: receiver.url, description: HOSTILE, event_types: ['session.saved'], status: 'enabled' },
      ]);
      await console.press('Offers', 'link');
      await console.untilAt('Offers');
      await console.press('Webhooks', 'link');
      await console.untilText(receiver.url);
      expect(await console.text()).not.toContain('whsec_');
      expect(await console.page.$('main img')).toBeNull();
    });

    it('are changed, disabled, enabled and deleted', async () => {
      const acme = await workspace();
      const { id } = await create(acme);
      const console = await Console.signedIn(stage, `/webhooks/${id}`, { key: acme.key });
      await console.fill('Description', 'Billing');
      await console.press('Only for some customers', 'checkbox');
      await console.page.select('[aria-label="About"]', 'fact:amount');
      await console.page.select('[aria-label="Comparison"]', '>');
      expect(await console.looks()).toEqual([]);
      await console.press('Save');
      await console.untilText('The webhook is saved.');
      expect(await webhooks(acme)).toMatchObject([{ when: { all: [{ fact: 'amount', is: '>', value: 2900 }] } }]);
      await console.press('Disable');
      await console.untilText('The webhook is disabled.');
      expect(await webhooks(acme)).toMatchObject([{ description: 'Billing', status: 'disabled' }]);
      await console.press('Enable');
      await console.untilText('The webhook is enabled.');
      expect(await webhooks(acme)).toMatchObject([{ status: 'enabled' }]);
      await console.press('Delete');
      await console.untilText('This cannot be undone.', 'dialog');
      await (await console.page.waitForSelector('dialog .danger'))!.click();
      await console.untilText('No webhooks yet');
      expect(await webhooks(acme)).toEqual([]);
    });

    it('are tested, and what failed is sent again', async () => {
      const acme = await workspace();
      const { id } = await create(acme);
      const console = await Console.signedIn(stage, `/webhooks/${id}`, { key: acme.key });
      receiver.reply = () => 500;
      await console.press('Send a test');
      await console.untilText('The test failed. The response was 500.');
      await console.untilText('failed', '.deliveries');
      await console.press('Details of test');
      await console.untilText(`"type": "test"`);
      expect(await console.looks()).toEqual([]);

      receiver.reply = () => 204;
      await console.page.click('.delivery .actions button:last-child');
      await (await console.page.waitForSelector('dialog .primary'))!.click();
      await console.untilText('delivered', '.deliveries');
      expect(receiver.types).toEqual(['test', 'test']);
      await console.choose('Status', 'Failed');
      await console.untilText('None is failed.');
    });

    it('get what they missed', async () => {
      const acme = await workspace();
      await create(acme, { url: 'http://127.0.0.1:1/' });
      await acme.flow();
      await until('the event', async () => (await events(acme)).includes('flow.published'));
      const { id } = await create(acme);
      const console = await Console.signedIn(stage, `/webhooks/${id}`, { key: acme.key });
      await console.press('Send what was missed');
      const since = await console.field('Since');
      await since.evaluate((field) => {
        field.value = '2026-01-01T00:00';
        field.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await console.press('Send');
      await console.untilText('will be sent now');
      await until('it has arrived', async () => receiver.types.includes('flow.published'));
    });

    it('have their secret replaced', async () => {
      const acme = await workspace();
      const { id } = await create(acme);
      const console = await Console.signedIn(stage, `/webhooks/${id}`, { key: acme.key });
      await console.press('Replace secret');
      await console.choose('The old secret signs', 'for an hour');
      await console.press('Replace');
      await console.untilText('whsec_');
      await console.untilText('The old one signs, too, for an hour.');
      await console.press('Send a test');
      await console.untilText('The test was delivered.');
      expect(String(receiver.received[0].headers['webhook-signature']).split(' ')).toHaveLength(2);
    });

    it('are only shown to a key that may only read', async () => {
      const acme = await workspace();
      const { id } = await create(acme, { description: 'Billing' });
      const { key } = await acme.apiKey({ access: 'read' });
      const console = await Console.signedIn(stage, '/webhooks', { key });
      await console.untilText('Billing');
      expect(await console.page.$$eval('main button', (all) => all.length)).toBe(0);
      await console.goTo(`/webhooks/${id}`);
      await console.untilText('Billing', 'main');
      const names = await console.page.$$eval('main button', (all) => all.map(({ innerText }) => innerText));
      expect(names).toEqual(['Refresh']);
      expect(await console.page.$('main form')).toBeNull();
    });

    async function events(acme: Acme): Promise<string[]> {
      const { events } = await acme.call<{ events: { type: string }[] }>('GET', '/api/v1/public/events');
      return events.map(({ type }) => type);
    }
  },
  TO_LOOPBACK,
);
