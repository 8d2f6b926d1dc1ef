import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../faults/support/until';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

inOneBrowser('The page of changes', (stage) => {
  const newAcme = () => Acme.create(stage.service, 'https://acme.example/cancel');
  /** Who, and what. */
  const rows = (console: Console) =>
    console.page.$$eval('tbody tr', (all) =>
      all.map((row) => [...row.cells].slice(1).map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim())),
    );

  it('says who changed what, newest first', async () => {
    const acme = await newAcme();
    await acme.flow();
    const console = await Console.as(await acme.person('viewer'), stage, '/changes');
    await console.untilText('Signed in: Ada Lovelace', 'table');
    const shown = await rows(console);
    expect(shown.slice(0, 2)).toEqual([
      ['Ada Lovelace', 'Signed in: Ada Lovelace'],
      ['Ada Lovelace', 'Joined: Ada Lovelace role: viewer'],
    ]);
    expect(shown).toContainEqual(['First key API key', 'Created the offer Half price']);
    expect(await console.looks()).toEqual([]);
  });

  it('is filtered by who, by what and from a day', async () => {
    const acme = await newAcme();
    const flow = await acme.flow();
    const ada = await acme.person('editor');
    const console = await Console.as(ada, stage, '/changes');
    await console.choose('Who', 'Ada Lovelace');
    await console.untilNoText('Half price', 'table');
    expect(new Set((await rows(console)).map(([who]) => who))).toEqual(new Set(['Ada Lovelace']));
    await console.choose('Who', 'API key First key');
    await console.untilText('Half price', 'table');
    await console.press('Leaving Acme', 'link');
    await console.untilNoText('Half price', 'table');
    expect((await rows(console)).every(([, what]) => what.includes('Leaving Acme'))).toBe(true);
    expect(console.page.url()).toContain(`subject=${flow.id}`);
    await (
      await console.field('From')
    ).evaluate((field) => {
      field.value = '2999-01-01';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await console.untilText('No change fits these filters');
    expect(await console.looks()).toEqual([]);
    await console.press('Show all changes', 'link');
    await console.untilText('Half price', 'table');
  });

  it('goes on as far as one scrolls', async () => {
    const acme = await newAcme();
    for (let n = 0; n < 130; n++) await acme.call('PUT', '/api/v1/public/workspace', { name: `Acme ${n}` });
    const console = await Console.signedIn(stage, '/changes', { key: acme.key });
    await console.untilText('Acme 129', 'table');
    await console.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await console.untilText('Created the workspace', 'table');
    expect(await console.text('nav')).not.toContain('People');
  });

  it('is downloaded as CSV, as it is filtered', async () => {
    const acme = await newAcme();
    await acme.flow();
    const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
    const console = await Console.as(await acme.person(), stage, '/changes');
    const devtools = await console.page.createCDPSession();
    await devtools.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
      browserContextId: console.page.browserContext().id!,
    });
    await console.choose('Who', 'Ada Lovelace');
    await console.untilNoText('Half price', 'table');
    await console.press('Download CSV');
    await until('the file is there', async () => (await readdir(folder)).includes('changes.csv'));
    const [head, ...lines] = (await readFile(join(folder, 'changes.csv'), 'utf8')).trim().split('\n');
    expect(head).toContain('actor_name');
    expect(lines.map((line) => line.includes('Ada Lovelace'))).toEqual(lines.map(() => true));
    await rm(folder, { recursive: true });
  });
});
