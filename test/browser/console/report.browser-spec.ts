import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';
import { visit } from '../support/visit';

inOneBrowser('The report in the console', (stage) => {
  it('says what happened in a month, why, and by plan, for some customers, too', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const flow = await acme.flow();
    const come = (id: string, plan: string, action: 'keep' | 'cancel') =>
      visit(
        stage.service,
        flow,
        [
          { node_key: 'start', action: 'continue' },
          { node_key: 'reason', action: 'answer', option: 'too_expensive' },
          { node_key: 'confirm', action },
        ],
        { id, attributes: { plan }, subscription: { amount: 4990, currency: 'EUR', interval: 'month' } },
      );
    await come('ada', 'pro', 'keep');
    await come('bob', 'team', 'cancel');
    await acme.call('POST', '/api/v1/public/audiences', {
      name: 'Pros',
      when: { all: [{ attribute: 'plan', is: '=', value: 'pro' }] },
    });
    const console = await Console.signedIn(stage, '/report', { key: acme.key });
    await console.untilText('0 customers wanted to leave');
    expect(await console.looks()).toEqual([]);
    const now = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date());
    await console.choose('Through', now);
    await console.choose('From', now);
    await console.untilText('2 customers wanted to leave, and 1 stayed.');
    const text = (await console.text('main')).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Too expensive 2 1 €49.90');
    expect(text).toContain('pro 1 1 €49.90 team 1 0 €0.00');
    expect(await console.looks()).toEqual([]);
    await console.choose('Customers', 'Pros');
    await console.untilText('1 customer wanted to leave, and 1 stayed.');
    await console.press('Too expensive', 'link');
    await console.untilText('No comment fits these filters');
  });

  it('comes by mail to whoever asks for it, and to nobody else', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const console = await Console.as(await acme.person(), stage, '/report');
    await console.untilText('By mail');
    expect(await console.looks()).toEqual([]);
    await console.page.select('[name=digest]', 'weekly');
    await console.untilText('You get the report by mail.');
    await console.page.reload();
    await console.untilText('By mail');
    await console.page.waitForSelector('[name=digest]');
    expect(await console.page.$eval('[name=digest]', (select) => (select as HTMLSelectElement).value)).toBe('weekly');
    const byKey = await Console.signedIn(stage, '/report', { key: acme.key });
    await byKey.untilText('0 customers wanted to leave');
    expect(await byKey.text('main')).not.toContain('By mail');
  });
});
