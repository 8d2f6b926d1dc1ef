import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

inOneBrowser('The brand in the console', (stage) => {
  const brandOf = async (acme: Acme) => {
    const { primary_color, logo_url, brand } = await acme.call<Record<string, unknown>>(
      'GET',
      '/api/v1/public/workspace',
    );
    return { primary_color, logo_url, brand };
  };

  it('is chosen, seen in the preview while it is, and saved', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const console = await Console.signedIn(stage, '/brand', { key: acme.key });
    await console.fill('Colour', '#0A7');
    await console.choose('Font', 'Georgia');
    await console.choose('Corners', 'Square');
    await console.choose('Light or dark', 'Dark');
    const look = await console.page.$eval('.brand-preview > div', (host) => {
      const dialog = host.shadowRoot!.querySelector('dialog')!;
      const { fontFamily, borderTopLeftRadius, colorScheme } = getComputedStyle(dialog);
      const { backgroundColor } = getComputedStyle(dialog.querySelector('[part=primary]')!);
      return [fontFamily, borderTopLeftRadius, colorScheme, backgroundColor];
    });
    expect(look).toEqual(['Georgia, "Times New Roman", serif', '0px', 'dark', 'rgb(0, 170, 119)']);
    expect(await console.looks()).toEqual([]);
    await console.press('Save');
    await console.untilText('The brand is saved.', '.toasts');
    expect(await brandOf(acme)).toEqual({
      primary_color: '#0A7',
      logo_url: '',
      brand: { font: "Georgia, 'Times New Roman', serif", radius: '0px', scheme: 'dark' },
    });
  });

  it('says at the field what the service refuses, and takes a font of the site', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const console = await Console.signedIn(stage, '/brand', { key: acme.key });
    await console.fill('Colour', 'red');
    await console.choose('Font', 'Another, of our page');
    await console.fill('Its name', 'Acme Sans; x');
    await console.press('Save');
    await console.untilText('must be a colour in hexadecimal form', '#primary_color-about');
    await console.untilText('must be names of font families', '#own-font-about');
    expect(await console.looks()).toEqual([]);
    await console.fill('Colour', '#123456');
    await console.fill('Its name', "'Acme Sans', serif");
    await console.press('Save');
    await console.untilText('The brand is saved.', '.toasts');
    expect(await brandOf(acme)).toMatchObject({ primary_color: '#123456', brand: { font: "'Acme Sans', serif" } });
  });

  it('is shown to a key that may only read, and can not be changed', async () => {
    const { key } = await stage.acme.apiKey({ access: 'read' });
    const console = await Console.signedIn(stage, '/brand', { key });
    await console.page.waitForSelector('.brand-preview');
    expect(await console.page.$('main form')).toBeNull();
  });
});
