import type { Collection, Element, Plugin, Props, System, Values } from './swagger-ui';

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

const LANGUAGES: Record<string, string> = { Shell: 'bash', JavaScript: 'javascript' };
const REMEMBERED = 'docs:language';

/** The language that the reader chose in any operation holds for all. */
const choice = {
  listeners: new Set<() => void>(),
  read: () => sessionStorage.getItem(REMEMBERED) ?? 'Shell',
  choose: (lang: string) => {
    sessionStorage.setItem(REMEMBERED, lang);
    for (const changed of choice.listeners) changed();
  },
  subscribe: (changed: () => void) => {
    choice.listeners.add(changed);
    return () => choice.listeners.delete(changed);
  },
};

/** Shows the `x-codeSamples` of an operation above its parameters: a tab for each language, and a button to copy. */
export const samples = ({ React }: System): Plugin => {
  const { createElement: h, Fragment, useState, useSyncExternalStore } = React;

  function Copy({ text }: Props): Element {
    const [isCopied, setCopied] = useState(false);
    const click = async () => {
      await copy(text as string);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    };
    return h(
      'button',
      { type: 'button', className: 'copy', onClick: () => void click() },
      h('span', { role: 'status' }, isCopied ? 'Copied' : 'Copy'),
    );
  }

  const Samples = (system: System) =>
    function Samples({ id, all }: Props): Element {
      const chosen = useSyncExternalStore(choice.subscribe, choice.read);
      const Highlighted = system.getComponent('SyntaxHighlighter', true);
      const list = all as CodeSample[];
      const shown = list.find(({ lang }) => lang === chosen) ?? list[0];
      const tabId = ({ lang }: CodeSample) => `${String(id)}-${lang}`;
      const move = ({ key }: KeyboardEvent) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (!step) return;
        const next = list[(list.indexOf(shown) + step + list.length) % list.length];
        choice.choose(next.lang);
        document.getElementById(tabId(next))?.focus();
      };
      const tabs = list.map((sample) =>
        h(
          'button',
          {
            key: sample.lang,
            id: tabId(sample),
            type: 'button',
            role: 'tab',
            'aria-selected': sample === shown,
            'aria-controls': `${String(id)}-sample`,
            tabIndex: sample === shown ? 0 : -1,
            onClick: () => choice.choose(sample.lang),
            onKeyDown: move,
          },
          sample.label,
        ),
      );
      return h(
        'div',
        { className: 'samples' },
        h(
          'div',
          { className: 'samples-header' },
          h('div', { role: 'tablist', 'aria-label': 'Sample' }, tabs),
          h(Copy, { text: shown.source }),
        ),
        h(
          'div',
          { id: `${String(id)}-sample`, role: 'tabpanel', 'aria-labelledby': tabId(shown), tabIndex: 0 },
          h(Highlighted, { language: LANGUAGES[shown.lang], className: 'sample' }, shown.source),
        ),
      );
    };

  return {
    wrapComponents: {
      parameters: (Parameters, system) => {
        const OfOperation = Samples(system);
        return (props) => {
          const operation = props.operation as Values;
          const all = operation.get<Collection<CodeSample> | undefined>('x-codeSamples')?.toJS() as CodeSample[];
          const own = all ? h(OfOperation, { id: operation.get('operationId'), all }) : null;
          return h(Fragment, null, own, h(Parameters, props));
        };
      },
    },
  };
};

/** Pages that came by plain http from another machine have no clipboard to write to. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(document.createElement('textarea'));
  field.value = text;
  field.select();
  document.execCommand('copy');
  field.remove();
}
