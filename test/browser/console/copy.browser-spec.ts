import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

const BANNER = 'This is a copy of the service: it sends no webhooks and no mails (SEND_NOTHING).';

inOneBrowser(
  'The console of a copy that sends nothing',
  (stage) => {
    it('says so on every page, and where somebody wants to send', async () => {
      const { id } = await stage.acme.call<{ id: string }>('POST', '/api/v1/public/webhooks', {
        url: 'https://acme.example/hook',
      });
      const console = await Console.signedIn(stage, '/offers');
      await console.untilText(BANNER);
      expect(await console.looks()).toEqual([]);
      await console.goTo(`/webhooks/${id}`);
      await console.press('Send a test');
      await console.untilText('This service is a copy that sends nothing (SEND_NOTHING=true).');
      await console.untilText(BANNER);
    });
  },
  { SEND_NOTHING: 'true' },
);
