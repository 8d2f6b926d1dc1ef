import { Acme, type Person } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

const GRACE = { name: 'Grace Hopper', email: 'grace@acme.example' };

inOneBrowser('The page of people', (stage) => {
  const newAcme = () => Acme.create(stage.service, 'https://acme.example/cancel');
  const rolesOf = async (console: Console) =>
    (
      await console.page.$$eval('[aria-label="Table of people"] tbody tr', (rows) => rows.map((row) => row.innerText))
    ).map((row) => row.replaceAll(/\s+/g, ' '));

  it('invites a person, who joins by the link that is shown once', async () => {
    const acme = await newAcme();
    const ada = await acme.person();
    const console = await Console.as(ada, stage, '/people');
    await console.untilText('None.');
    await console.press('Invite a person');
    await console.press('Invite');
    await console.untilText('must', '#email-about');
    expect(await console.looks()).toEqual([]);
    await console.fill('E-mail', GRACE.email);
    await console.press('Invite');
    await console.untilText('The invitation is ready', 'dialog');
    expect(await console.looks()).toEqual([]);
    const link = await console.text('dialog code');
    const mail = await console.page.$eval('dialog a', (anchor) => decodeURIComponent(anchor.href));
    expect(mail).toContain(`mailto:${GRACE.email}?`);
    expect(mail).toContain(link);
    await console.press('Done');
    await console.control('button', `Withdraw ${GRACE.email}`);
    expect(await console.text()).not.toContain(link);
    expect(await console.looks()).toEqual([]);

    const page = await Console.open(stage, link.split('#')[1]);
    await page.fill('Your name', GRACE.name);
    await page.fill('Password', ada.password);
    await page.press('Join');
    await page.untilAt('Overview');
    await console.page.reload();
    await console.untilText(GRACE.name);
    await console.untilText('None.');
  });

  it('withdraws an invitation, whose link opens nothing then', async () => {
    const acme = await newAcme();
    const link = await acme.invitation(GRACE.email);
    const console = await Console.as(await acme.person(), stage, '/people');
    await console.press(`Withdraw ${GRACE.email}`);
    await console.press('Withdraw');
    await console.untilText('is withdrawn.');
    const page = await Console.open(stage, link.split('#')[1]);
    await page.untilText('This link was used, has expired or was replaced by another.');
    expect(await page.looks()).toEqual([]);
    await page.press('To the console');
    await page.control('button', 'Sign in');
  });

  it('changes a role, and says of the last owner that somebody has to stay one', async () => {
    const acme = await newAcme();
    const console = await Console.as(await acme.person(), stage, '/people');
    await acme.person('viewer', GRACE);
    await console.page.reload();
    await console.press('Change role: Ada Lovelace');
    await console.choose('Role', 'Viewer: reads everything');
    await console.press('Change');
    await console.untilText('Make somebody else an owner first.', 'dialog');
    expect(await console.looks()).toEqual([]);
    await console.press('Cancel');
    await console.press('Remove: Ada Lovelace');
    await console.press('Remove');
    await console.untilText('Make somebody else an owner first.', 'dialog');
    await console.press('Cancel');
    await console.press('Change role: Grace Hopper');
    await console.choose('Role', 'Owner: also people, keys, webhooks and settings');
    await console.press('Change');
    await console.untilText('Grace Hopper is owner now.');
    await console.tab.untilValue('the roles', async () => (await rolesOf(console))[0].includes('owner'), true);
  });

  it('offers nothing any more to an owner who makes themselves a viewer', async () => {
    const acme = await newAcme();
    const ada = await acme.person();
    await acme.person('owner', { ...GRACE, email: 'grace@two.example' });
    const console = await Console.as(ada, stage, '/people');
    await console.press('Change role: Ada Lovelace');
    await console.choose('Role', 'Viewer: reads everything');
    await console.press('Change');
    await console.untilText('Only an owner may change who is here.');
    await console.untilText('viewer', '.account');
    expect(await console.page.$$eval('main button', (all) => all.length)).toBe(0);
  });

  it('makes a link with which a person sets a new password, and is signed in', async () => {
    const acme = await newAcme();
    const console = await Console.as(await acme.person(), stage, '/people');
    const grace = await acme.person('editor', { name: 'Grace Hopper', email: 'grace@three.example' });
    await console.page.reload();
    await console.press('New password: Grace Hopper');
    await console.press('Make a link');
    await console.untilText('whoever has it can sign in', 'dialog');
    const link = await console.text('dialog code');
    const page = await Console.open(stage, link.split('#')[1]);
    await page.untilAt('Choose a new password');
    expect(await page.looks()).toEqual([]);
    await page.fill('New password', 'short');
    await page.press('Set the password');
    await page.untilText('must have at least 12 characters');
    await page.fill('New password', 'staple correct horse');
    await page.press('Set the password');
    await page.untilAt('Overview');
    await page.untilText('editor', '.account');
    await page.press('Sign out');
    await page.signInAs({ ...grace, password: 'staple correct horse' });
    await page.untilAt('Overview');
  });

  it('leads a person who is removed to the sign-in at their next request', async () => {
    const acme = await newAcme();
    const grace = await acme.person('editor', { name: 'Grace Hopper', email: 'grace@four.example' });
    const hers = await Console.as(grace, stage, '/offers');
    await hers.untilAt('Offers');
    const console = await Console.as(await acme.person(), stage, '/people');
    await console.press('Remove: Grace Hopper');
    await console.untilText('from the next request on', 'dialog');
    expect(await console.looks()).toEqual([]);
    await console.press('Remove');
    await console.untilText('Grace Hopper is removed.');
    await hers.press('Sessions', 'link');
    await hers.untilText('You are signed out', 'dialog');
    expect(await hers.looks()).toEqual([]);
    await hers.fill('Password', grace.password);
    await hers.press('Sign in');
    await hers.untilText('The e-mail address or the password is wrong.', 'dialog');
    await hers.press('Leave this page');
    await hers.untilAt('Retention Flow Console');
  });

  it.each(['viewer', 'editor'])('shows a %s who is here, and offers no change', async (role) => {
    const acme = await newAcme();
    const console = await Console.as(await acme.person(role), stage, '/people');
    await console.untilText('Only an owner may change who is here.');
    await console.untilText('Ada Lovelace', 'table');
    expect(await console.page.$$eval('main button', (all) => all.length)).toBe(0);
    expect(await console.looks()).toEqual([]);
  });

  it.each([
    ['viewer', '/flows', 'New flow', false],
    ['editor', '/flows', 'New flow', true],
    ['viewer', '/offers', 'New offer', false],
    ['editor', '/offers', 'New offer', true],
    ['editor', '/webhooks', 'New webhook', false],
    ['owner', '/webhooks', 'New webhook', true],
    ['editor', '/settings', 'New API key', false],
    ['owner', '/settings', 'New API key', true],
  ])('a %s is offered on %s: %s, %s', async (role, path, name, isOffered) => {
    const console = await Console.as(await (await newAcme()).person(role), stage, path);
    await console.page.waitForNetworkIdle({ idleTime: 300 });
    expect((await console.text('main')).includes(name)).toBe(isOffered);
  });

  it('looks well with many people of long names', async () => {
    const acme = await newAcme();
    const people: Person[] = [];
    for (let n = 0; n < 5; n++) {
      const email = `${'e'.repeat(60)}${n}@${'acme'.repeat(12)}.example`;
      people.push(await acme.person('owner', { name: 'N'.repeat(200), email }));
    }
    const console = await Console.as(people[0], stage, '/people');
    await console.untilText('NNN', 'table');
    expect(await console.looks()).toEqual([]);
  });
});
