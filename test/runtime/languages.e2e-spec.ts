import { MAX_LANGUAGES } from '../../src/platform/text/languages';
import { serviceForAll, workspaceForEach } from '../support/service';

const SESSION = '/api/v1/runtime/session';
const PUBLIC = '/api/v1/public';

const OFFER = {
  heading: 'Stay for {{value}} less',
  body: 'Dear {{first_name|friend}}.',
  cta_accept: 'Take it',
  cta_decline: 'No',
  offer_value: '30%',
  translations: {
    de: { heading: 'Bleiben Sie für {{value}} weniger', body: 'Hallo {{first_name|Sie}}.', cta_accept: 'Nehmen' },
    he: { heading: 'להישאר ב-{{value}} פחות', cta_decline: 'לא' },
  },
};

/** One more than a flow may have. */
const TAGS = 'aa ab af am ar as az ba be bg bn bo br bs ca co cs cy da el eo et eu fa fi fo fy ga gd gl gu'.split(' ');

const graph = (offer: string) => ({
  entry: 'start',
  nodes: [
    {
      key: 'start',
      type: 'start',
      config: {
        title: 'Hello {{first_name|there}}',
        body: 'It is about {{product_name}}.',
        translations: {
          de: { title: 'Hallo {{first_name|Sie}}', body: 'Es geht um {{product_name}}.' },
          'de-AT': { title: 'Servus {{first_name|du}}' },
          he: { title: 'שלום {{first_name|לך}}' },
        },
      },
      next: 'why',
    },
    {
      key: 'why',
      type: 'survey',
      config: {
        title: 'Why?',
        options: [
          { value: 'price', label: 'The price' },
          { value: 'other', label: 'Something else' },
        ],
        translations: { de: { title: 'Warum?', options: { price: 'Der Preis' } }, he: { options: { other: 'אחר' } } },
      },
      next: 'offer',
    },
    { key: 'offer', type: 'offer', config: { offer_id: offer }, next: 'confirm' },
    { key: 'confirm', type: 'confirm', config: { title: 'Cancel?', translations: { de: { title: 'Kündigen?' } } } },
  ],
});

describe('Languages', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const start = async (flow_slug: string, more: object = {}, headers: Record<string, string> = {}) =>
    service.client.post(`${SESSION}/init`, { flow_slug, ...more }, headers);
  const step = async (id: string, body: object) => (await service.client.post(`${SESSION}/${id}/step`, body)).body;
  const setUp = async () => {
    const offer = await acme.offer(OFFER);
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: graph(offer.id) });
    return { offer, flow };
  };

  /** Every text of a walk to the offer, and how it is recorded. */
  async function walk(slug: string, locale?: string) {
    const { body } = await start(slug, { ...(locale && { locale }), customer: { id: 'cus_1' } });
    const id = body.session_id as string;
    const survey = await step(id, { node_key: 'start', action: 'continue' });
    const offer = await step(id, { node_key: 'why', action: 'answer', option: 'price' });
    const { title, options } = survey.node.config;
    const { heading, body: text, cta_accept, cta_decline } = offer.node.config;
    return {
      id,
      locale: body.locale,
      start: [body.flow.entry_node.config.title, body.flow.entry_node.config.body],
      survey: [title, ...options.map(({ label }: { label: string }) => label)],
      offer: [heading, text, cta_accept, cta_decline],
    };
  }

  const ENGLISH = {
    start: ['Hello there', 'It is about Acme Pro.'],
    survey: ['Why?', 'The price', 'Something else'],
    offer: ['Stay for 30% less', 'Dear friend.', 'Take it', 'No'],
  };

  it('are walked in, text by text: exactly, then without the region, then in that of the flow', async () => {
    const { flow } = await setUp();
    expect(await walk(flow.slug)).toMatchObject({ locale: 'en', ...ENGLISH });
    expect(await walk(flow.slug, 'ja')).toMatchObject({ locale: 'ja', ...ENGLISH });
    const german = {
      survey: ['Warum?', 'Der Preis', 'Something else'],
      offer: ['Bleiben Sie für 30% weniger', 'Hallo Sie.', 'Nehmen', 'No'],
    };
    expect(await walk(flow.slug, 'de')).toMatchObject({
      ...german,
      locale: 'de',
      start: ['Hallo Sie', 'Es geht um Acme Pro.'],
    });
    expect(await walk(flow.slug, 'DE-at')).toMatchObject({
      ...german,
      locale: 'de-AT',
      start: ['Servus du', 'Es geht um Acme Pro.'],
    });
    expect(await walk(flow.slug, 'he')).toMatchObject({
      start: ['שלום לך', 'It is about Acme Pro.'],
      survey: ['Why?', 'The price', 'אחר'],
      offer: ['להישאר ב-30% פחות', 'Dear friend.', 'Take it', 'לא'],
    });
  });

  it('of an offer that is written in another are those of the flow', async () => {
    const offer = await acme.offer(OFFER);
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', locale: 'de', definition: graph(offer.id) });
    const german = ['Bleiben Sie für 30% weniger', 'Hallo Sie.', 'Nehmen', 'No'];
    for (const locale of [undefined, 'de', 'de-AT', 'ja']) {
      expect(await walk(flow.slug, locale)).toMatchObject({ offer: german, survey: ENGLISH.survey });
    }
    const preview = (await acme.client.post(`${PUBLIC}/flows/${flow.id}/preview`, {})).body.session_id as string;
    await step(preview, { node_key: 'start', action: 'continue' });
    const { node } = await step(preview, { node_key: 'why', action: 'answer', option: 'other' });
    expect(node.config.cta_accept).toBe('Nehmen');
  });

  it('have the durations of the offer in them, in the language of each text', async () => {
    const pause = { heading: 'Pause for {{duration}}', body: 'You pay nothing for {{duration}}.' };
    const translations = { de: { heading: 'Pause für {{duration}}' }, fr: { heading: 'Pause de {{duration}}' } };
    const offer = await acme.offer({ ...OFFER, ...pause, offer_duration: '2 months', translations });
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: graph(offer.id) });
    const textsIn = async (locale: string) => (await walk(flow.slug, locale)).offer.slice(0, 2);
    expect(await textsIn('de')).toEqual(['Pause für 2 Monate', 'You pay nothing for 2 months.']);
    expect(await textsIn('fr')).toEqual([expect.stringMatching(/^Pause de 2\smois$/), 'You pay nothing for 2 months.']);
    expect(await textsIn('ja')).toEqual(['Pause for 2 months', 'You pay nothing for 2 months.']);
  });

  it('stay as they were shown, in the session and its record, whatever is changed afterwards', async () => {
    const { offer, flow } = await setUp();
    const { id } = await walk(flow.slug, 'de');
    await acme.client.put(`${PUBLIC}/offers/${offer.id}`, { translations: {} });
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, {
      definition: { ...graph(offer.id), nodes: graph(offer.id).nodes.map(bare) },
    });
    const { body } = await service.client.get(`${SESSION}/${id}`);
    expect(body).toMatchObject({ node: { config: { heading: 'Bleiben Sie für 30% weniger' } } });
    await step(id, { node_key: 'offer', action: 'accept' });
    const record = (await acme.client.get(`${PUBLIC}/sessions/${id}`)).body;
    expect(record).toMatchObject({
      locale: 'de',
      answers: [{ option: 'price', label: 'Der Preis' }],
      accepted_offer: { heading: 'Bleiben Sie für 30% weniger' },
    });
    const list = async (locale: string) => (await acme.client.get(`${PUBLIC}/sessions?locale=${locale}`)).body;
    expect((await list('DE')).sessions).toMatchObject([{ id: record.id, locale: 'de' }]);
    expect((await list('de-AT')).sessions).toEqual([]);
    expect((await acme.client.get(`${PUBLIC}/sessions?locale=de_AT`)).body.errors).toMatchObject([
      { parameter: 'locale' },
    ]);
    expect((await acme.client.get(`${PUBLIC}/comments`)).body.comments).toEqual([]);
  });

  it('come from Accept-Language if the start names none, and a repeated start is in that of the first', async () => {
    const { flow } = await setUp();
    const key = { 'idempotency-key': `key of ${flow.id}` };
    const first = await start(flow.slug, {}, { ...key, 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' });
    expect(first.body).toMatchObject({ locale: 'de-AT', flow: { entry_node: { config: { title: 'Servus du' } } } });
    expect((await start(flow.slug, {}, { ...key, 'accept-language': 'he' })).body).toEqual(first.body);
    expect((await start(flow.slug, { locale: 'de' }, key)).body.code).toBe('idempotency_key_reused');
    expect((await start(flow.slug, {}, { 'accept-language': '*, no_tag' })).body.locale).toBe('en');
    expect((await start(flow.slug, { locale: 'he' }, { 'accept-language': 'de' })).body.locale).toBe('he');
  });

  it.each(['', ' ', 'de_AT', 'd', 'ge rman', 7, null, ['de'], 'x'.repeat(36)])(
    'are refused by a start, a flow and a filter with a tag that is none: %j',
    async (locale) => {
      const { id, slug } = await acme.publishedFlow();
      const refused = [
        await start(slug, { locale }),
        await acme.client.put(`${PUBLIC}/flows/${id}`, { locale }),
        await acme.client.post(`${PUBLIC}/flows/${id}/preview`, { locale }),
      ];
      for (const { status, body } of refused) expect([status, body.errors[0].pointer]).toEqual([400, '/locale']);
      const offer = { name: 'A', offer_type: 'custom', translations: { [String(locale)]: { heading: 'B' } } };
      const { body } = await acme.client.post(`${PUBLIC}/offers`, offer);
      if (locale !== 7 && String(locale) !== 'de' && locale !== null)
        expect(body.errors).toMatchObject([{ pointer: '/translations' }]);
    },
  );

  it('of a simple flow include our own words, in the own language of the flow and in those of customers', async () => {
    const flow = await acme.publishedFlow();
    const titles = async (slug: string, locale?: string) => {
      const { body } = await start(slug, locale ? { locale } : {});
      const survey = (await step(body.session_id, { node_key: 'start', action: 'continue' })).node.config;
      return [body.flow.entry_node.config.body, survey.title, survey.options[0].label];
    };
    const english = [
      'Tell us why you are leaving Acme Pro. It takes a minute.',
      'Why are you leaving?',
      'Too expensive',
    ];
    const german = [
      'Sagen Sie uns, warum Sie Acme Pro verlassen. Es dauert eine Minute.',
      'Warum möchten Sie kündigen?',
      'Zu teuer',
    ];
    expect(await titles(flow.slug)).toEqual(english);
    expect(await titles(flow.slug, 'da')).toEqual(english);
    expect(await titles(flow.slug, 'de-CH')).toEqual(german);
    expect((await titles(flow.slug, 'zh-CN'))[1]).toBe('您为什么要离开？');
    expect((await titles(flow.slug, 'zh-TW'))[1]).toBe('Why are you leaving?');
    const changed = await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { locale: 'de-DE' });
    expect(changed.body).toEqual({ updated: true, id: flow.id });
    expect(await titles(flow.slug)).toEqual(german);
    expect(await titles(flow.slug, 'en')).toEqual(english);
    const survey = {
      title: 'Warum, {{first_name|denn}}?',
      options: [{ value: 'a', label: 'Darum' }],
      translations: { en: { title: 'Why, {{first_name|then}}?' } },
    };
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { survey });
    expect(await titles(flow.slug, 'en-GB')).toEqual([english[0], 'Why, then?', 'Darum']);
    expect((await acme.client.get(`${PUBLIC}/flows/${flow.id}`)).body.survey).toEqual(survey);
  });

  it('may be 30 for a flow of 12 surveys with 20 options each', async () => {
    const options = Array.from({ length: 20 }, (_, n) => ({ value: `option_${n}`, label: `Option ${n}` }));
    const words = { title: 'W', options: Object.fromEntries(options.map(({ value }) => [value, 'O'])) };
    const translations = Object.fromEntries(TAGS.slice(0, MAX_LANGUAGES).map((tag) => [tag, words]));
    const surveys = Array.from({ length: 12 }, (_, n) => ({
      key: `why_${n}`,
      type: 'survey',
      config: { title: 'Why?', options, translations },
      next: n < 11 ? `why_${n + 1}` : 'confirm',
    }));
    const confirm = { key: 'confirm', type: 'confirm', config: { title: 'Cancel?' } };
    const definition = { entry: 'why_0', nodes: [...surveys, confirm] };
    const flow = { name: 'F', product_name: 'F', cancellation_url: 'https://acme.example/', flow_mode: 'advanced' };
    const { status, body } = await acme.client.post(`${PUBLIC}/flows`, { ...flow, definition });
    expect(status).toBe(201);
    expect((await acme.client.put(`${PUBLIC}/flows/${body.id}`, { definition, name: 'G' })).status).toBe(200);
    expect((await acme.client.put(`${PUBLIC}/flows/${body.id}/draft`, { definition, name: 'H' })).status).toBe(200);
  });

  it('with gaps are told when a flow is published, and never keep it from that', async () => {
    const { offer, flow } = await setUp();
    const { definition } = (await acme.client.get(`${PUBLIC}/flows/${flow.id}`)).body;
    expect(definition.nodes).toEqual(graph(offer.id).nodes);
    const of = (locale: string, ...paths: string[]) =>
      paths.map((path) => ({ pointer: `/definition/nodes/${path}`, locale }));
    const warnings = [
      ...of('de', '1/config/options/1/label', '2/config/offer_id'),
      ...of('de-AT', '1/config/options/1/label', '2/config/offer_id'),
      ...of('he', '0/config/body', '1/config/title', '1/config/options/0/label', '3/config/title', '2/config/offer_id'),
    ];
    const again = await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { status: 'published' });
    expect([again.status, again.body.warnings]).toEqual([200, warnings]);
    await acme.client.put(`${PUBLIC}/flows/${flow.id}/draft`, { name: 'Leaving' });
    const published = await acme.client.post(`${PUBLIC}/flows/${flow.id}/draft/publish`, {});
    expect([published.status, published.body.version, published.body.warnings]).toEqual([200, 2, warnings]);
    const restored = await acme.client.post(`${PUBLIC}/flows/${flow.id}/versions/1/restore`, {});
    expect(restored.body.warnings).toEqual(warnings);
    const hidden = await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { status: 'draft' });
    expect(hidden.body).toEqual({ updated: true, id: flow.id });
  });

  it('have the same placeholders, and name options that there are', async () => {
    const { offer, flow } = await setUp();
    const [first, survey, ...rest] = graph(offer.id).nodes;
    const translated = (node: typeof first, translations: object) => ({
      ...node,
      config: { ...node.config, translations },
    });
    const nodes = [
      translated(first, {
        de: { title: 'Hallo', body: '{{product_name}} {{product_name}}' },
        fr: { title: '{{first_name}}' },
      }),
      translated(survey, { de: { options: { nothing: 'Nichts' } } }),
      ...rest,
    ];
    const definition = { entry: 'start', nodes };
    const pointers = [
      '/definition/nodes/0/config/translations/de/title',
      '/definition/nodes/0/config/translations/fr/title',
      '/definition/nodes/1/config/translations/de/options/nothing',
    ];
    const { body } = await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { definition });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
    const draft = await acme.client.put(`${PUBLIC}/flows/${flow.id}/draft`, { definition });
    expect(draft.body.faults.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
    const changed = await acme.client.put(`${PUBLIC}/offers/${offer.id}`, { heading: 'Stay' });
    expect(changed.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/translations/de/heading',
      '/translations/he/heading',
    ]);
    const unread = await acme.client.put(`${PUBLIC}/offers/${offer.id}`, {
      translations: { de: { header: 'A' }, fr: 'B' },
    });
    expect(unread.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/translations/de/header',
      '/translations/fr',
    ]);
    expect((await acme.client.get(`${PUBLIC}/offers/${offer.id}`)).body.translations).toEqual(OFFER.translations);
  });

  it(`are at most ${MAX_LANGUAGES}, those of a flow and its offers together`, async () => {
    const of = (some: string[]) => Object.fromEntries(some.map((tag) => [tag, { heading: 'A' }]));
    const content = { name: 'A', offer_type: 'custom' };
    const offer = { ...content, translations: of(TAGS) };
    expect((await acme.client.post(`${PUBLIC}/offers`, offer)).body.errors).toMatchObject([
      { pointer: '/translations' },
    ]);
    const [one, other] = [
      await acme.offer({ ...content, translations: of(TAGS.slice(0, 20)) }),
      await acme.offer({ ...content, translations: of(TAGS.slice(10, 30)) }),
    ];
    const last = await acme.offer({ ...content, translations: of(TAGS.slice(30)) });
    const { id } = await acme.flow({ offer_ids: [one.id, other.id] });
    const many = await acme.client.put(`${PUBLIC}/flows/${id}`, { offer_ids: [one.id, other.id, last.id] });
    expect([many.status, many.body.errors[0].pointer]).toEqual([400, '/offer_ids']);
    const draft = await acme.client.put(`${PUBLIC}/flows/${id}/draft`, { offer_ids: [one.id, other.id, last.id] });
    expect(draft.body.faults).toMatchObject([{ pointer: '/offer_ids' }]);
  });

  it('of 64 starts at once are each their own', async () => {
    const { flow } = await setUp();
    const titles: Record<string, string> = { de: 'Hallo Sie', 'de-AT': 'Servus du', he: 'שלום לך', en: 'Hello there' };
    const locales = Array.from({ length: 64 }, (_, index) => Object.keys(titles)[index % 4]);
    const started = await Promise.all(locales.map((locale) => start(flow.slug, { locale })));
    expect(started.map(({ body }) => [body.locale, body.flow.entry_node.config.title])).toEqual(
      locales.map((locale) => [locale, titles[locale]]),
    );
    const stats = (await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats?by=locale`)).body.by;
    expect(stats).toMatchObject({ attribute: 'locale', none: { sessions: { total: 0 } } });
    const values: { value: string; sessions: { total: number } }[] = stats.values;
    expect(Object.fromEntries(values.map(({ value, sessions }) => [value, sessions.total]))).toEqual(
      Object.fromEntries(Object.keys(titles).map((locale) => [locale, 16])),
    );
  });

  it('are counted apart from an attribute of the same name', async () => {
    const { slug, id } = await acme.publishedFlow();
    await start(slug, { locale: 'de', customer: { id: 'a', attributes: { locale: 'Bavarian' } } });
    const by = async (name: string) => (await acme.client.get(`${PUBLIC}/flows/${id}/stats?by=${name}`)).body.by;
    expect(await by('locale')).toMatchObject({ values: [{ value: 'de' }] });
    expect(await by('attributes.locale')).toMatchObject({ values: [{ value: 'Bavarian' }] });
  });

  it('can be previewed', async () => {
    const { flow } = await setUp();
    const { body } = await acme.client.post(`${PUBLIC}/flows/${flow.id}/preview`, { locale: 'de-CH' });
    expect(body).toMatchObject({ locale: 'de-CH', flow: { entry_node: { config: { title: 'Hallo Sie' } } } });
    const { node } = (await service.client.get(`${SESSION}/${body.session_id}`)).body;
    expect(node.config.title).toBe('Hallo Sie');
    const survey = await step(body.session_id, { node_key: 'start', action: 'continue' });
    expect(survey.node.config.title).toBe('Warum?');
    const offer = await step(body.session_id, { node_key: 'why', action: 'answer', option: 'other' });
    expect(offer.node.config.cta_accept).toBe('Nehmen');
  });
});

/** A node without translations. */
function bare(node: { config: { translations?: object } }): object {
  return { ...node, config: { ...node.config, translations: undefined } };
}
