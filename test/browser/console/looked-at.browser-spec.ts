import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Flow, ImageList, Offer } from '@retention-flow/client';
import { png } from '../../support/pictures';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

inOneBrowser('Pages that are looked at, in the console', (stage) => {
  let folder: string;
  let acme: Acme;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pictures-'));
    acme = await Acme.create(stage.service, 'https://acme.example/cancel');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const uploaded = async () => (await acme.call<ImageList>('GET', '/api/v1/public/images')).images;
  const uploadFile = async (console: Console, content: Buffer) => {
    const path = join(folder, 'picture.png');
    await writeFile(path, content);
    const input = (await console.page.$('input[type=file]'))!;
    await input.uploadFile(path);
  };

  it('get a picture and points for an offer, which is made smaller where it is too large', async () => {
    const console = await Console.signedIn(stage, '/offers/new', { key: acme.key });
    await console.press('Pause');
    await console.fill('Points', 'Your 12 projects\nThe price from 2024');
    await uploadFile(console, png(3000, 1500));
    await console.page.waitForSelector('.offer-picture img');
    expect(await uploaded()).toMatchObject([{ type: 'image/webp', width: 1200, height: 600 }]);
    await console.press('Create offer');
    await console.untilText('must not be blank', '#image-alt-about');
    await console.fill('Description of the picture', 'A map of your tours');
    await console.untilText('The price from 2024', '.offer-points');
    expect(await console.looks()).toEqual([]);
    await console.press('Create offer');
    await console.untilAt('Offers');
    const { offers } = await acme.call<{ offers: { id: string }[] }>('GET', '/api/v1/public/offers');
    const offer = await acme.call<Offer>('GET', `/api/v1/public/offers/${offers[0].id}`);
    expect(offer).toMatchObject({
      points: ['Your 12 projects', 'The price from 2024'],
      image: { url: (await uploaded())[0].url, alt: 'A map of your tours' },
    });
  });

  it('have their pictures listed in the settings, from where they are deleted', async () => {
    const id = (await acme.picture(920, 321)).split('/').at(-1);
    const console = await Console.signedIn(stage, '/settings', { key: acme.key });
    await console.untilText('920 × 321');
    expect(await console.looks()).toEqual([]);
    await console.press(`Delete picture ${id}`);
    await console.press('Delete');
    await console.untilText('The picture is deleted.');
    expect(await uploaded()).toEqual([]);
  });

  it('keep what is typed while a picture is uploaded, and the translations of their points', async () => {
    const translations = { de: { points: ['Eins', 'Zwei'] } };
    const offer = { name: 'Stay', offer_type: 'custom', points: ['One', 'Two'], translations };
    const { id } = await acme.call<{ id: string }>('POST', '/api/v1/public/offers', offer);
    const console = await Console.signedIn(stage, `/offers/${id}`, { key: acme.key });
    await console.untilText('Two', '.offer-points');
    await console.page.setRequestInterception(true);
    let send = () => {};
    console.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/images')) send = () => void request.continue();
      else void request.continue();
    });
    await uploadFile(console, png(12, 34));
    await console.untilText('Uploading …');
    await console.fill('Points', 'Two\nThree');
    await console.fill('Body', 'Written meanwhile.');
    send();
    await console.page.waitForSelector('.offer-picture img');
    await console.fill('Description of the picture', 'A map');
    await console.press('Save draft');
    await console.untilText('draft is saved');
    const draft = await acme.call<Offer>('GET', `/api/v1/public/offers/${id}/draft`);
    expect(draft).toMatchObject({
      body: 'Written meanwhile.',
      points: ['Two', 'Three'],
      image: { alt: 'A map' },
      translations: { de: { points: ['Zwei'] } },
    });
  });

  it('say why a file is no picture, and which host is not allowed', async () => {
    const console = await Console.signedIn(stage, '/offers/new', { key: acme.key });
    await console.press('Pause');
    await uploadFile(console, Buffer.from('not a picture'));
    await console.untilText('must be a PNG, JPEG or WebP picture', '.picture');
    await console.fill('Or its address', 'https://evil.example/a.png');
    await console.page.keyboard.press('Tab');
    await console.fill('Description of the picture', 'A map');
    await console.press('Create offer');
    await console.untilText('is at evil.example, which is not among', '#image-about');
    expect(await uploaded()).toEqual([]);
  });

  it('get them in the editor of a flow, with a survey of several answers, which ask for more', async () => {
    const console = await Console.signedIn(stage, '/flows/new', { key: acme.key });
    await console.press('An offer for each reason', 'radio');
    await console.fill('Name', 'Looked at');
    await console.fill('Product', 'Acme Pro');
    await console.fill('Cancellation page', 'https://acme.example/cancel');
    await console.press('Create flow');
    await console.untilAt('Edit Looked at');
    const id = await console.page.evaluate(() => location.hash.split('/')[2]);
    const choose = async (key: string) => {
      await (await console.page.waitForSelector(`.graph-node ::-p-text(${key})`))!.click();
      await console.untilText('Name in the numbers', '.node-panel');
    };

    await choose('start');
    await console.fill('Points', 'Your 12 projects\n\nThe price from 2024');
    await uploadFile(console, png(920, 320));
    await console.page.waitForSelector('.picture img');
    await console.fill('Description of the picture', 'A map of your tours');
    expect(await console.looks()).toEqual([]);

    await choose('reason');
    await console.press('Customers may choose several', 'checkbox');
    await console.fill('Question to answer 1', 'What would be fair?');
    expect(await console.looks()).toEqual([]);
    await console.press('Publish …');
    await console.untilText('several may be chosen', 'dialog .differences');
    await console.untilText('The price from 2024', 'dialog .differences');
    expect(await console.looks()).toEqual([]);
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');

    const { definition } = await acme.call<Flow>('GET', `/api/v1/public/flows/${id}`);
    const configOf = (key: string) => definition.nodes.find((node) => node.key === key)!.config;
    expect(configOf('start')).toMatchObject({
      points: ['Your 12 projects', 'The price from 2024'],
      image: { url: (await uploaded())[0].url, alt: 'A map of your tours' },
    });
    expect(configOf('reason')).toMatchObject({
      multiple: true,
      options: [{ comment_label: 'What would be fair?' }, {}, {}, {}, {}, {}],
    });
  });
});
