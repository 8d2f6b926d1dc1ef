import { generateKeyPairSync } from 'node:crypto';
import { Console } from '../support/console';
import { Acme } from '../support/acme';
import { inOneBrowser } from '../support/stage';

interface ApiKey {
  id: string;
  name: string;
  access: string;
  expires_at: string | null;
  revoked_at: string | null;
}
interface CustomerKey {
  id: string;
  name: string;
  algorithm: string;
  public_key: object | null;
}

const LONG_NAME = 'N'.repeat(200);

inOneBrowser('The settings', (stage) => {
  const newAcme = () => Acme.create(stage.service, 'https://acme.example/cancel');
  const apiKeys = async (acme: Acme) =>
    (await acme.call<{ api_keys: ApiKey[] }>('GET', '/api/v1/public/api-keys')).api_keys;
  const customerKeys = async (acme: Acme) =>
    (await acme.call<{ customer_keys: CustomerKey[] }>('GET', '/api/v1/public/customer-keys')).customer_keys;
  const workspace = (acme: Acme) => acme.call<Record<string, unknown>>('GET', '/api/v1/public/workspace');

  it('of the workspace are changed, and the menu shows its new name', async () => {
    const acme = await newAcme();
    const console = await Console.signedIn(stage, '/settings', { key: acme.key });
    await console.fill('Name', 'Acme & Sons');
    await console.fill('Pages that may start sessions', 'https://acme.example\nhttps://shop.example');
    await console.press('Require signed customers', 'checkbox');
    await console.press('Save');
    await console.untilText('The workspace is saved.');
    await console.untilText('Acme & Sons', '.workspace-name');
    expect(await workspace(acme)).toMatchObject({
      name: 'Acme & Sons',
      allowed_origins: ['https://acme.example', 'https://shop.example'],
      require_customer_token: true,
    });
  });

  it('say at the field what the service refuses, and keep what was typed', async () => {
    const acme = await newAcme();
    const console = await Console.signedIn(stage, '/settings', { key: acme.key });
    await console.fill('Name', ' ');
    await console.fill('Hosts of pictures', 'https://cdn.acme.example');
    await console.fill('Pages that may start sessions', 'acme.example');
    await console.press('Save');
    await console.untilText('must be a list of at most 20 different hosts', '#image_hosts-about');
    await console.untilText('must be a list of at most 100 origins', '#allowed_origins-about');
    await console.tab.untilValue('the focus', () => console.tab.focused(), 'Name');
    const typed = await Promise.all(
      ['Hosts of pictures', 'Pages that may start sessions'].map(async (label) =>
        (await console.field(label)).evaluate(({ value }) => value),
      ),
    );
    expect(typed).toEqual(['https://cdn.acme.example', 'acme.example']);
    expect(await workspace(acme)).toMatchObject({ name: 'Acme', image_hosts: [], allowed_origins: [] });
    expect(await console.looks()).toEqual([]);
  });

  it('issue an API key, which is shown once and works', async () => {
    const acme = await newAcme();
    const console = await Console.signedIn(stage, '/settings', { key: acme.key });
    await console.press('New API key');
    await console.fill('Name of the key', ' ');
    await console.press('Create');
    await console.untilText('must', '#key-name-about');
    await console.tab.untilValue('the focus', () => console.tab.focused(), 'Name of the key');
    expect(await console.looks()).toEqual([]);
    await console.fill('Name of the key', 'Reporting');
    await (await console.field('Last day')).evaluate((field) => (field.value = '2090-01-31'));
    await console.press('Create');
    await console.untilText('It is not shown again', 'dialog');
    expect(await console.looks()).toEqual([]);
    const key = await console.text('dialog code');
    await console.press('Done');
    await console.untilText('Reporting', 'table');
    expect(await console.text()).not.toContain(key);
    const used = await fetch(`${stage.service}/api/v1/public/workspace`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(used.status).toBe(200);
    expect((await apiKeys(acme))[0]).toMatchObject({
      name: 'Reporting',
      access: 'read',
      expires_at: '2090-01-31T23:59:59.999Z',
    });
  });

  it('revoke an API key, once that is confirmed', async () => {
    const acme = await newAcme();
    await acme.apiKey({ name: 'Old backend' });
    const console = await Console.signedIn(stage, '/settings', { key: acme.key });
    await console.press('Revoke Old backend');
    await console.press('Cancel');
    expect((await apiKeys(acme))[0]).toMatchObject({ name: 'Old backend', revoked_at: null });
    await console.press('Revoke Old backend');
    await console.untilText('A revoked key cannot be used again.', 'dialog');
    expect(await console.looks()).toEqual([]);
    await console.press('Revoke');
    await console.untilText('Old backend is revoked.');
    await console.untilText('revoked', 'table');
    expect((await apiKeys(acme))[0]).toMatchObject({ name: 'Old backend', revoked_at: expect.any(String) });
  });

  it('say which key one is signed in with, and that revoking it signs one out', async () => {
    const acme = await newAcme();
    const console = await Console.signedIn(stage, '/settings', { key: acme.key });
    await console.untilText('You are signed in with it', 'table');
    await console.press('Revoke First key');
    await console.untilText('will be signed out', 'dialog');
    await console.press('Revoke');
    await console.untilAt('Retention Flow Console');
    await console.untilText('You revoked the key that you were signed in with.');
    await expect(workspace(acme)).rejects.toThrow('401');
  });

  it('create customer keys of both kinds, and delete them', async () => {
    const acme = await newAcme();
    const console = await Console.signedIn(stage, '/settings', { key: acme.key });
    await console.untilText('No customer keys yet');
    await console.press('New customer key');
    await console.fill('Name of the key', 'Account pages');
    await console.press('Create');
    await console.untilText('cksec_', 'dialog');
    await console.press('Done');

    const pair = generateKeyPairSync('ed25519');
    const publicKey = pair.publicKey.export({ format: 'jwk' });
    await console.press('New customer key');
    await console.fill('Name of the key', 'Own pair');
    await console.choose('Algorithm', 'EdDSA: a key pair of your own');
    await console.fill('Public key', 'no key');
    await console.press('Create');
    await console.untilText('The public key is not JSON.', 'dialog');
    expect(await console.looks()).toEqual([]);
    await console.fill('Public key', '{"kty":"OKP","crv":"Ed25519","x":"short"}');
    await console.press('Create');
    await console.untilText('must', '#public_key-about');
    // The private part of the pair stays in the page.
    await console.fill('Public key', JSON.stringify(pair.privateKey.export({ format: 'jwk' })));
    await console.press('Create');
    await console.untilText('The customer key is created', 'dialog');
    await console.press('Done');
    await console.untilText('Own pair');
    expect(await customerKeys(acme)).toMatchObject([
      { name: 'Own pair', algorithm: 'EdDSA', public_key: publicKey },
      { name: 'Account pages', algorithm: 'HS256', public_key: null },
    ]);

    await console.press('Delete Account pages');
    await console.untilText('refused at once', 'dialog');
    await console.press('Delete');
    await console.untilText('Account pages is deleted.');
    expect((await customerKeys(acme)).map(({ name }) => name)).toEqual(['Own pair']);
  });

  it('make a test workspace, in which time passes', async () => {
    const acme = await newAcme();
    const owner = await Console.signedIn(stage, '/settings', { key: acme.key });
    await owner.press('Make a test workspace');
    await owner.untilText('The test workspace is made');
    const key = await owner.page.$eval('dialog code', (code) => code.textContent);
    expect(key).toMatch(/^rf_test_/);
    expect(await owner.looks()).toEqual([]);
    const console = await Console.signedIn(stage, '/settings', { key });
    await console.untilText('Test', '.badge');
    await console.untilText('0 sessions, without a limit');
    await console.choose('How much', '7 days');
    await console.press('Let it pass');
    await console.untilText('The time has passed.');
    expect(await console.looks()).toEqual([]);
  });

  it('are shown to a key that may only read, without any change', async () => {
    const acme = await newAcme();
    await acme.call('POST', '/api/v1/public/customer-keys', { name: 'Account pages', algorithm: 'HS256' });
    const { key } = await acme.apiKey({ access: 'read', name: 'To look' });
    const console = await Console.signedIn(stage, '/settings', { key });
    await console.untilText('Account pages');
    await console.untilText('To look');
    expect(await console.page.$$eval('main button, main input, main textarea, main select', (all) => all.length)).toBe(
      0,
    );
    expect(await console.looks()).toEqual([]);
  });

  it('look well with long names and many keys', async () => {
    const acme = await newAcme();
    await acme.call('PUT', '/api/v1/public/workspace', {
      name: LONG_NAME,
      allowed_origins: Array.from({ length: 12 }, (_, n) => `https://${'shop'.repeat(12)}-${n}.example`),
    });
    await acme.call('POST', '/api/v1/public/customer-keys', { name: LONG_NAME, algorithm: 'HS256' });
    await acme.apiKey({ name: LONG_NAME, expires_at: '2090-01-01T00:00:00Z' });
    // 50 may be used at a time.
    for (let n = 0; n < 60; n++) {
      const { id } = await acme.apiKey({ name: `Machine ${n}`, access: 'read' });
      if (n < 12) await acme.call('DELETE', `/api/v1/public/api-keys/${id}`);
    }
    const console = await Console.signedIn(stage, '/settings', { key: acme.key });
    await console.untilText('Machine 10', 'table');
    await console.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await console.untilText('First key', 'table');
    expect(await console.looks()).toEqual([]);
  });
});
