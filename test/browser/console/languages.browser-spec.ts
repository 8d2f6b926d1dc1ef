import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FlowDraft, Offer, OfferDraft } from '@retention-flow/client';
import type { ElementHandle } from 'puppeteer-core';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

const FLOWS = '/api/v1/public/flows';

inOneBrowser('Languages in the console', (stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'languages-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are written side by side, with what is missing marked, come from a file, and can be looked at', async () => {
    const { id } = await stage.acme.flow({ heading: 'Stay for less', body: '', cta_accept: 'Take it' });
    const survey = { title: 'Why, {{name|you}}?', options: [{ value: 'price', label: 'The price' }] };
    const flow = await stage.acme.call<{ offer_ids: string[] }>('GET', `${FLOWS}/${id}`);
    await stage.acme.call('PUT', `${FLOWS}/${id}`, { survey });
    const console = await Console.signedIn(stage, `/flows/${id}/languages`);
    const language = await console.control('combobox', 'Language to add');
    await language.type('Klingonese');
    await console.press('Add language');
    await console.untilText('No language is called that.');
    await language.evaluate((field) => (field as HTMLInputElement).select());
    await language.type('german');
    await console.press('Add language');
    await console.untilText('5 missing', 'main');
    const title = await console.control('textbox', 'Why, {{name|you}}?: Title, in German (de), missing');
    await title.type('Warum?');
    await console.untilText('4 missing', 'main');
    await title.evaluate((field) => (field as HTMLTextAreaElement).select());
    await title.type('Warum, {{{{name|Sie}}?'.replace('{{{{', '{{'));

    const file = join(folder, 'leaving.he.csv');
    const [offer] = flow.offer_ids;
    writeFileSync(
      file,
      `id,where,en,he\noffers/${offer}/heading,,Stay for less,להישאר\npages/survey/title,,Why?,למה\n`,
    );
    const input = (await console.page.$('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(file);
    await console.untilText('1 text in Hebrew (he) read.', '.toasts');
    await console.untilText('1 text left out', '.toasts');
    expect(await console.looks()).toEqual([]);
    await console.press('Save');
    await console.untilText('Saved in drafts', '.toasts');
    const draft = await stage.acme.call<FlowDraft>('GET', `${FLOWS}/${id}/draft`);
    expect(draft.survey?.translations).toEqual({ de: { title: 'Warum, {{name|Sie}}?' } });
    const ofOffer = `/api/v1/public/offers/${offer}`;
    const saved = await stage.acme.call<OfferDraft>('GET', `${ofOffer}/draft`);
    expect(saved.translations).toEqual({ he: { heading: 'להישאר' } });
    expect((await stage.acme.call<Offer>('GET', ofOffer)).translations).toEqual({});
    await console.untilText('Not published yet');
    expect(await console.looks()).toEqual([]);

    await console.press('Preview');
    await console.untilFramed('Bevor Sie gehen');
  });

  it('keep what is typed while they are being saved', async () => {
    const { id } = await stage.acme.flow();
    const survey = { title: 'Why?', options: [{ value: 'price', label: 'The price' }], translations: { de: {} } };
    await stage.acme.call('PUT', `${FLOWS}/${id}`, { survey });
    const console = await Console.signedIn(stage, `/flows/${id}/languages`);
    await (await console.control('combobox', 'Language to add')).type('de');
    await console.press('Add language');
    const [title, price] = ['Why?: Title', 'Why?: Answer price'].map(
      (where) => () => console.page.waitForSelector(`textarea[aria-label^="${where}, in German"]`),
    );
    await (await title())!.type('Warum?');
    let proceed!: () => void;
    await console.page.setRequestInterception(true);
    console.page.on('request', (request) => {
      const go = () => void request.continue();
      if (request.method() === 'PUT') proceed = go;
      else go();
    });
    await console.press('Save');
    await (await price())!.type('Der Preis');
    proceed();
    await console.untilText('Saved in drafts', '.toasts');
    const typed = () => console.page.$eval('textarea[aria-label^="Why?: Answer price"]', (field) => field.value);
    expect(await typed()).toBe('Der Preis');
    await console.page.setRequestInterception(false);
    const isSaved = console.page.waitForResponse((response) => response.request().method() === 'PUT');
    await console.press('Save');
    await isSaved;
    const { survey: saved } = await stage.acme.call<FlowDraft>('GET', `${FLOWS}/${id}/draft`);
    expect(saved?.translations).toEqual({ de: { title: 'Warum?', options: { price: 'Der Preis' } } });
  });
});
