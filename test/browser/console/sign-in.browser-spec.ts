import { Console } from '../support/console';
import { inEachBrowser } from '../support/stage';

inEachBrowser('Signing in to the console', (stage) => {
  it('leads to the page that was asked for, and is over after a reload', async () => {
    const console = await Console.signedIn(stage, '/settings');
    await console.untilAt('Settings');
    await console.page.reload();
    await console.untilAt('Retention Flow Console');
  });

  it('lasts as long as the tab if that is asked for', async () => {
    const console = await Console.open(stage, '/offers');
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(stage.acme.key);
    await console.page.reload();
    await console.untilAt('Offers');
    await console.press('Sign out');
    await console.untilAt('Retention Flow Console');
    await console.page.reload();
    await console.untilAt('Retention Flow Console');
  });

  it('looks well', async () => {
    const console = await Console.open(stage);
    await console.untilAt('Retention Flow Console');
    expect(await console.looks('sign-in')).toEqual([]);
    await console.signIn(stage.acme.key);
    expect(await console.looks('frame')).toEqual([]);
  });
});
