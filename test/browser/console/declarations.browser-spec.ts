import { randomUUID } from 'node:crypto';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

inOneBrowser('The page of declarations', (stage) => {
  it('lists what customers declared with what is due, shows the evidence, and lets an owner erase it', async () => {
    const { id, slug } = await stage.acme.flow();
    const exit = { enabled: true, kinds: ['termination', 'withdrawal'], recipient_email: 'contracts@acme.example' };
    await stage.acme.call('PUT', `/api/v1/public/flows/${id}`, { exit });
    const declared = { name: 'Grace Hopper', email: `${randomUUID()}@example.com`, contract: 'Customer 4711' };
    const declare = (body: object) =>
      stage.acme.call<{ number: string }>('POST', `/api/v1/runtime/exit/${slug}`, { ...declared, ...body });
    await declare({ kind: 'termination', reason: 'Moved away' });
    const { number } = await declare({ kind: 'withdrawal' });

    const console = await Console.as(await stage.acme.person(), stage, '/declarations');
    await console.untilText(number, 'table');
    await console.untilText('Pay back by', 'table');
    expect(await console.looks()).toEqual([]);
    await console.goTo('/');
    await console.untilText('declarations wait for you', 'main');
    await console.goTo('/declarations');
    await console.choose('Kind', 'Withdrawals');
    await console.untilNoText('Termination', 'table');

    await console.press(number, 'link');
    await console.untilText('contracts@acme.example', 'main');
    expect(await console.looks()).toEqual([]);
    await console.press('Mark as done');
    await console.press('Not done yet');
    await console.press('Mark as done');
    await console.control('button', 'Not done yet');
    await console.goTo('/declarations?state=open');
    await console.untilNoText(number, 'table');
    await console.fill('Search', 'hopper');
    await console.page.keyboard.press('Enter');
    await console.untilText('Termination', 'table');
    await console.choose('State', 'Done');
    await console.untilText(number, 'table');
    expect(await console.looks()).toEqual([]);
    await console.press(number, 'link');
    await console.press('Erase …');
    await console.press('Erase');
    await console.untilText('are erased', '.toasts');
    await console.untilNoText('Grace Hopper', 'main');
    expect(await console.text('main')).toContain('Customer 4711');
  });
});
