import { randomUUID } from 'node:crypto';
import { createSetupLink } from '../../../src/people/links/setup-link';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inEachBrowser, inOneBrowser } from '../support/stage';

const SIGN_IN = 'Retention Flow Console';

inEachBrowser('Signing in to the console', (stage) => {
  it('by e-mail and password leads to the page that was asked for, and lasts', async () => {
    const ada = await stage.acme.person();
    const console = await Console.open(stage, '/settings');
    await console.signInAs({ ...ada, password: 'incorrect horse' });
    await console.untilText('The e-mail address or the password is wrong.');
    await console.signInAs(ada);
    await console.untilAt('Settings');
    await console.page.reload();
    await console.untilAt('Settings');
    await console.press('Sign out');
    await console.untilAt(SIGN_IN);
    await console.page.reload();
    await console.untilAt(SIGN_IN);
  });

  it('by an API key leads to the page that was asked for, is over after a reload, and is in the log', async () => {
    const console = await Console.open(stage, '/changes');
    await console.signIn(stage.acme.key);
    await console.untilText('Signed in with the API key First key', 'table');
    await console.page.reload();
    await console.untilAt(SIGN_IN);
  });

  it('by an API key lasts as long as the tab if that is asked for', async () => {
    const console = await Console.open(stage, '/offers');
    await console.toKey();
    await console.press('Stay signed in until this tab is closed', 'checkbox');
    await console.signIn(stage.acme.key);
    await console.page.reload();
    await console.untilAt('Offers');
    await console.press('Sign out');
    await console.untilAt(SIGN_IN);
    await console.page.reload();
    await console.untilAt(SIGN_IN);
  });

  it('looks well', async () => {
    const console = await Console.open(stage);
    await console.field('E-mail');
    expect(await console.looks()).toEqual([]);
    await console.toKey();
    await console.field('API key');
    expect(await console.looks()).toEqual([]);
    await console.signIn(stage.acme.key);
    expect(await console.looks()).toEqual([]);
  });
});

inOneBrowser('The first person', (stage) => {
  it('comes by the link that the service printed, which is in no address afterwards', async () => {
    const link = await createSetupLink(stage.databaseUrl, stage.service);
    const console = await Console.open(stage, link!.split('#')[1]);
    await console.untilAt('Set up the console');
    expect(console.page.url()).toBe(`${stage.service}/console#/`);
    expect(await console.page.evaluate(() => history.length)).toBe(2);
    await console.press('Set up');
    await console.untilText('must', '#name-about');
    expect(await console.looks()).toEqual([]);
    await console.fill('Your name', 'Ada Lovelace');
    await console.fill('E-mail', 'ada@acme.example');
    await console.fill('Password', 'correct horse battery');
    await console.press('Set up');
    await console.untilAt('Overview');
    await console.untilText('Ada Lovelace', '.account');
    await console.untilText('owner', '.account');
  });
});

inOneBrowser('A person who is signed in', (stage) => {
  it('reads what to do if their browser does not keep it', async () => {
    const ada = await stage.acme.person();
    const console = await Console.open(stage);
    await console.page.evaluateOnNewDocument(() => {
      const send = fetch;
      window.fetch = (input, init) => send(input, { ...init, credentials: 'omit' });
    });
    await console.page.reload();
    await console.signInAs(ada);
    await console.untilText('Without https, it does so only on the machine that the service runs on.');
  });

  it('keeps what they typed when their session ends and they sign in again', async () => {
    const ada = await stage.acme.person();
    const console = await Console.as(ada, stage, '/settings');
    const another = await Console.as(ada, stage, '/account');
    await console.fill('Name', 'Acme & Daughters');
    await another.press('Sign out everywhere');
    // The menu has a button of the same name.
    await another.untilText('Your sessions end in all browsers', 'dialog');
    await another.press('Sign out');
    await another.untilAt(SIGN_IN);
    await console.press('Save');
    await console.untilText('You are signed out', 'dialog');
    expect(await console.looks()).toEqual([]);
    await console.fill('Password', ada.password);
    await console.press('Sign in');
    await console.untilNoText('You are signed out');
    await console.press('Save');
    await console.untilText('The workspace is saved.');
    await console.untilText('Acme & Daughters', '.workspace-name');
  });

  it('changes nothing as somebody else who signs in with another tab, in whatever workspace', async () => {
    const ada = await stage.acme.person();
    const other = await Acme.create(stage.service, 'https://acme.example/cancel', { name: 'Other' });
    for (const [typed, workspace] of [
      ['First of Ada', other],
      ['Second of Ada', stage.acme],
    ] as const) {
      const bea = await workspace.person('owner', { name: 'Bea', email: `bea-${randomUUID()}@acme.example` });
      const context = await stage.context();
      const console = await Console.as(ada, stage, '/settings', { context });
      await console.fill('Name', typed);
      const another = await Console.as(bea, stage, '/settings', { context });
      const name = await another.text('.workspace-name');
      // Browsers paint nothing in a tab behind another.
      await console.page.bringToFront();
      await console.press('Save');
      await console.untilText('Somebody else signed in', 'dialog');
      expect(await console.looks()).toEqual([]);
      await another.page.bringToFront();
      await another.page.reload();
      await another.untilText(name, '.workspace-name');
      await console.page.bringToFront();
      await console.fill('Password', ada.password);
      await console.press('Sign in');
      await console.untilNoText('Somebody else signed in');
      await console.press('Save');
      await console.untilText('The workspace is saved.');
      await console.untilText(typed, '.workspace-name');
    }
  });

  it('changes their password, and is signed out elsewhere only', async () => {
    const ada = await stage.acme.person();
    const console = await Console.as(ada, stage, '/account');
    await console.fill('Current password', 'incorrect horse');
    await console.fill('New password', 'staple correct horse');
    await console.press('Change password');
    await console.untilText('The e-mail address or the password is wrong.');
    expect(await console.looks()).toEqual([]);
    await console.fill('Current password', ada.password);
    await console.press('Change password');
    await console.untilText('Your password is changed');
    await console.page.reload();
    await console.untilAt('Your account');
    await console.press('Sign out');
    await console.signInAs({ ...ada, password: 'staple correct horse' });
    await console.untilAt('Your account');
  });

  it('of several workspaces chooses one, goes to another, and chooses again when removed from it', async () => {
    const [one, two, three] = await Promise.all(
      ['First', 'Second', 'Third'].map((name) => Acme.create(stage.service, 'https://acme.example/cancel', { name })),
    );
    const email = 'both@acme.example';
    const ada = await one.person('viewer', { email });
    const grace = await one.person('owner', { name: 'Grace Hopper', email: `grace-${one.id}@acme.example` });
    await two.person('owner', { email });
    await three.person('viewer', { email });
    await two.person('owner', { name: 'Grace Hopper', email: 'grace@acme.example' });
    const console = await Console.open(stage, '/people');
    await console.signInAs(ada);
    await console.untilAt('Choose a workspace');
    expect(await console.looks()).toEqual([]);
    await console.press('First viewer');
    await console.untilText('Only an owner may change who is here.');
    expect(await console.looks()).toEqual([]);
    await console.choose('Workspace', 'Second');
    await console.control('button', 'Invite a person');
    await console.page.reload();
    await console.control('button', 'Invite a person');
    await console.press('Remove: Ada Lovelace');
    await console.press('Remove');
    await console.untilText('You are not in Second any more.');
    await console.press('First viewer');
    await console.untilText('Only an owner may change who is here.');
    // By somebody else, while the page is open.
    const body = JSON.stringify({ email: grace.email, password: grace.password });
    const type = { 'content-type': 'application/json', origin: stage.service };
    const signedIn = await fetch(`${stage.service}/api/v1/auth/session`, { method: 'POST', headers: type, body });
    const headers = { ...type, cookie: signedIn.headers.get('set-cookie')!.split(';')[0] };
    const people = `${stage.service}/api/v1/public/people`;
    const listed = (await (await fetch(people, { headers })).json()) as { people: { id: string; email: string }[] };
    const { id } = listed.people.find((person) => person.email === email)!;
    await fetch(`${people}/${id}`, { method: 'DELETE', headers });
    await console.goTo('/flows');
    await console.untilText('You are not in First any more.');
  });
});

inOneBrowser(
  'Where passwords are off',
  (stage) => {
    it('there is single sign-on, and a word for those it refuses', async () => {
      const console = await Console.open(stage, '/sign-in/refused');
      await console.untilText('Single sign-on did not let you in.');
      await console.control('link', 'Sign in with single sign-on');
      await console.untilNoText('Password');
      expect(await console.looks()).toEqual([]);
      expect(console.page.url()).toBe(`${stage.service}/console#/`);
    });
  },
  {
    PASSWORDS: 'off',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'retention-flow',
    OIDC_CLIENT_SECRET: 'the-secret-of-the-client',
  },
);
