import { etagOf, type Flow, type FlowDraft, type Offer, type OfferDraft } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { canonicalTag, isRightToLeft, LANGUAGES, MAX_LANGUAGES } from '../../../../src/platform/text/languages';
import { PreviewDialog } from '../../preview/preview-dialog';
import { href } from '../../shell/route';
import { useSession } from '../../shell/session';
import { useAction } from '../../ui/action';
import { save as saveFile } from '../../ui/download';
import { counted } from '../../ui/format';
import { messageOf } from '../../ui/problem';
import { toast } from '../../ui/toast';
import { useUnsaved } from '../edit/unsaved';
import { csvOf, readCsv } from './csv';
import { isLanguage, languageName, languageNamed } from './names';
import {
  changedOffers,
  isChanged,
  isFlowChanged,
  languagesIn,
  missingIn,
  type OfferWords,
  textsOf,
  write,
  type Words,
} from './texts';

interface LanguagesEditorProps {
  flow: Flow;
  draft: FlowDraft | null;
  offers: { offer: Offer; draft: OfferDraft | null }[];
}

/**
 * Each text of a flow and its offers in each language. What is missing is marked, and shows what customers read
 * instead.
 */
export function LanguagesEditor({ flow, draft, offers }: LanguagesEditorProps) {
  const { client, mayWrite } = useSession();
  /** What is saved. Of several things that are saved, each has its place here at once: another may fail. */
  const [base, setBase] = useState<Words>({
    flow: draft ?? flow,
    offers: offers.map(({ offer, draft }) => ({ ...offer, ...draft })),
  });
  const [offerDrafts, setOfferDrafts] = useState(
    new Map(offers.flatMap(({ offer, draft }) => (draft ? [[offer.id, draft]] : []))),
  );
  const [words, setWords] = useState(base);
  const [added, setAdded] = useState<string[]>([]);
  const [tag, setTag] = useState('');
  const [previewed, setPreviewed] = useState<string>();
  const isDirty = isChanged(base, words);
  const { locale, flow_mode } = words.flow;
  const texts = textsOf(words);
  const languages = [...new Set([...languagesIn(words), ...added])];

  const saveAll = async () => {
    let faulty = 0;
    if (isFlowChanged(base, words)) {
      const { survey, definition, translations } = words.flow;
      const content = { translations, ...(flow_mode === 'simple' ? { survey } : { definition }) };
      const saved = await client.flows.saveDraft(flow.id, content, { ifMatch: etagOf(base.flow) });
      setBase((before) => ({ ...before, flow: saved }));
      if (saved.faults.length > 0) faulty++;
    }
    for (const offer of changedOffers(base, words)) {
      const { id, translations } = offer;
      const before = offerDrafts.get(id) ?? offers.find((one) => one.offer.id === id)!.offer;
      const saved = await client.offers.saveDraft(id, { translations }, { ifMatch: etagOf(before) });
      if (saved.faults.length > 0) faulty++;
      setOfferDrafts((drafts) => new Map([...drafts, [id, saved]]));
      setBase((all) => ({ ...all, offers: all.offers.map((one) => (one.id === id ? { ...one, ...saved } : one)) }));
    }
    const hint = faulty > 0 ? ` ${counted(faulty, 'draft')} cannot be published yet: open it to see why.` : '';
    toast(`Saved in drafts. Customers read it once you publish them.${hint}`);
    return true;
  };
  const save = useAction(async () => void (await saveAll()));
  const { question } = useUnsaved(isDirty, saveAll);
  const add = useAction(async () => {
    const language = languageNamed(tag.trim()) ?? canonicalTag(tag.trim());
    if (language === undefined || !isLanguage(language))
      throw new Error('No language is called that. Write its name, or a tag such as pt-BR.');
    if (language === locale) throw new Error('The flow is written in this language.');
    setAdded([...added, language]);
    setTag('');
  });
  const read = useAction(async (file: File) => {
    const { language, texts: translated, outdated } = readCsv(await file.text(), texts);
    if (language === locale) throw new Error('The file is in the language that the flow is written in.');
    setAdded([...added, language]);
    setWords((words) => [...translated].reduce((all, [id, text]) => write(all, id, language, text), words));
    const left = outdated > 0 ? ` ${counted(outdated, 'text')} left out: the original is another by now.` : '';
    toast(
      `${counted(translated.size, 'text')} in ${languageName(language)} read. Save them when they look right.${left}`,
    );
  });
  const error = save.error ?? add.error ?? read.error;

  return (
    <section class="card languages" aria-labelledby="texts">
      <div class="card-head">
        <h2 id="texts">Texts</h2>
        <span class="soft">
          Written in {languageName(locale)}. What is missing in a language is shown in {languageName(locale)}.
        </span>
      </div>
      {flow_mode === 'simple' && (
        <p class="soft">
          The first page, the last one{words.flow.survey ? '' : ', the survey'} and the widget’s buttons are in the
          service’s own words, in {LANGUAGES.length} languages.
        </p>
      )}
      {words.offers.some(({ accepted_title, accepted_body }) => accepted_title === '' || accepted_body === '') && (
        <p class="soft">
          After accepting, customers read the service’s own words, in {LANGUAGES.length} languages, where the offer has
          none of yours.
        </p>
      )}
      {texts.length > 0 && (
        <div class="table" tabIndex={0} role="region" aria-label="Texts by language">
          <table>
            <thead>
              <tr>
                <th scope="col">Where</th>
                <th scope="col">{languageName(locale)}</th>
                {languages.map((language) => {
                  const missing = missingIn(words, language).length;
                  return (
                    <th key={language} scope="col">
                      {languageName(language)}{' '}
                      <span class={`badge ${missing > 0 ? 'bad' : 'good'}`}>
                        {missing > 0 ? `${missing} missing` : 'complete'}
                      </span>
                      <div class="actions">
                        <button
                          type="button"
                          class="quiet small"
                          disabled={isDirty}
                          onClick={() => setPreviewed(language)}
                        >
                          Preview
                        </button>
                        <button
                          type="button"
                          class="quiet small"
                          onClick={() =>
                            saveFile(`${flow.slug}.${language}.csv`, new Blob([csvOf(texts, locale, language)]))
                          }
                        >
                          Export CSV
                        </button>
                      </div>
                    </th>
                  );
                })}
              </tr>
            </thead>
            <tbody>
              {texts.map(({ id, where, original, maxLength, ...text }) => (
                <tr key={id}>
                  <th scope="row">{where}</th>
                  <td lang={locale} dir="auto">
                    {original}
                  </td>
                  {languages.map((language) => {
                    const written = text.in(language);
                    const isMissing = written === '' && text.shown(language) === original;
                    return (
                      <td key={language}>
                        <textarea
                          rows={maxLength > 200 ? 3 : 1}
                          class={isMissing ? 'missing' : undefined}
                          aria-label={`${where}, in ${languageName(language)}${isMissing ? ', missing' : ''}`}
                          lang={language}
                          dir={isRightToLeft(language) ? 'rtl' : 'ltr'}
                          placeholder={text.shown(language)}
                          maxLength={maxLength}
                          readOnly={!mayWrite}
                          value={written}
                          onInput={({ currentTarget }) =>
                            setWords((words) => write(words, id, language, currentTarget.value))
                          }
                        />
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Unpublished
        flow={'based_on_version' in base.flow ? flow : undefined}
        offers={base.offers.filter(({ id }) => offerDrafts.has(id))}
      />
      <div role="alert">{error !== undefined && <p class="wrong">{messageOf(error)}</p>}</div>
      {mayWrite && (
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault();
            add.run();
          }}
        >
          <input
            aria-label="Language to add"
            placeholder="German, pt-BR, …"
            list="languages"
            value={tag}
            onInput={(event) => setTag(event.currentTarget.value)}
          />
          <datalist id="languages">
            {LANGUAGES.map((language) => (
              <option key={language} value={language}>
                {languageName(language)}
              </option>
            ))}
          </datalist>
          <button type="submit" class="quiet" disabled={texts.length === 0 || languages.length >= MAX_LANGUAGES}>
            Add language
          </button>
          <label class="quiet file">
            Import CSV
            <input
              type="file"
              class="unseen"
              accept=".csv,text/csv"
              disabled={texts.length === 0}
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files!;
                if (file) read.run(file);
                currentTarget.value = '';
              }}
            />
          </label>
          <button type="button" class="primary" disabled={!isDirty || save.isBusy} onClick={() => save.run()}>
            Save
          </button>
          <span class="soft">Saved in the drafts of the flow and of its offers.</span>
        </form>
      )}
      {question}
      {previewed && (
        <PreviewDialog
          flowId={flow.id}
          definition={base.flow.definition}
          locale={previewed}
          isDraft={'based_on_version' in base.flow}
          onClose={() => setPreviewed(undefined)}
        />
      )}
    </section>
  );
}

/** What customers don't read yet, and where it is published. */
function Unpublished({ flow, offers }: { flow: Flow | undefined; offers: OfferWords[] }) {
  if (!flow && offers.length === 0) return null;
  return (
    <div class="notice">
      <p>Not published yet, so customers do not read what changed in:</p>
      <ul>
        {flow && (
          <li>
            the pages of <a href={href(`/flows/${flow.id}`, { tab: 'content' })}>{flow.name}</a>
          </li>
        )}
        {offers.map(({ id, name }) => (
          <li key={id}>
            the offer <a href={href(`/offers/${id}`)}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
