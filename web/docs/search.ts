import { type Plugin, type System, type TaggedOperations, tagsOf, unfold, type Values } from './swagger-ui';

interface Documented {
  summary?: string;
  description?: string;
  operationId?: string;
  parameters?: { name: string }[];
  requestBody?: { content: { 'application/json'?: { schema: { $ref?: string } } } };
  responses?: Record<string, object>;
}

const INPUT_ID = 'search';

/**
 * Finds operations by method, path, summary, description, tag, operation id, parameters, fields of the body and
 * statuses. Swagger UI's own filter finds tags.
 */
export const search = (system: System): Plugin => {
  const { createElement: h, useEffect } = system.React;
  return {
    fn: { opsFilter: (tagged: TaggedOperations, phrase: string) => found(tagged, phrase, system) },
    wrapComponents: {
      FilterContainer: (_, system) => () => {
        useEffect(focusOnSlash, []);
        const phrase = phraseOf(system);
        const change = (value: string) => {
          for (const tag of tagsOf(system)) unfold(system, tag, value !== '');
          system.layoutActions.updateFilter(value || true);
        };
        const input = h('input', {
          id: INPUT_ID,
          type: 'search',
          value: phrase,
          placeholder: 'Search: method, path, words',
          autoComplete: 'off',
          spellCheck: false,
          'aria-keyshortcuts': '/',
          'aria-describedby': 'search-result',
          onChange: ({ target }: { target: HTMLInputElement }) => change(target.value),
          onKeyDown: ({ key }: { key: string }) => key === 'Escape' && change(''),
        });
        return h(
          'div',
          { className: 'wrapper search', role: 'search' },
          h('label', { htmlFor: INPUT_ID }, 'Search the operations'),
          input,
          h('p', { id: 'search-result', role: 'status' }, resultOf(system)),
        );
      },
      // Swagger UI says that there are no operations at all.
      operations: (Operations, system) => (props) => (numberFound(system) === 0 ? null : h(Operations, props)),
      Webhooks: (Webhooks, system) => (props) => {
        const selectWebhooksOperations = () => foundWebhooks(system);
        return h(Webhooks, { ...props, specSelectors: { ...system.specSelectors, selectWebhooksOperations } });
      },
    },
  };
};

function phraseOf({ layoutSelectors }: System): string {
  const filter = layoutSelectors.currentFilter();
  return typeof filter === 'string' ? filter : '';
}

function resultOf(system: System): string {
  const all = system.specSelectors.operations().size;
  const phrase = phraseOf(system);
  if (!phrase.trim()) return `${all} operations. Press / to search.`;
  const webhooks = Object.keys(foundWebhooks(system)).length;
  const sent = webhooks > 0 ? `, and ${webhooks} ${webhooks === 1 ? 'event' : 'events'} sent to webhooks` : '';
  const operations = numberFound(system);
  if (operations === 0 && !sent) return `Nothing has all the words of “${phrase.trim()}”. Press Esc to see everything.`;
  return `${operations} of ${all} operations${sent}`;
}

/** The layout of Swagger UI has applied `found` already. */
function numberFound({ specSelectors }: System): number {
  const numbers = specSelectors.taggedOperations().map((tag) => tag.get<Values>('operations').size);
  return numbers
    .valueSeq()
    .toArray()
    .reduce((sum, number) => sum + number, 0);
}

function found(tagged: TaggedOperations, phrase: string, system: System): TaggedOperations {
  return tagged
    .map((one, tag) => {
      const isFound = (operation: unknown) => {
        const {
          method,
          path,
          operation: documented,
        } = (operation as Values).toJS() as {
          method: string;
          path: string;
          operation: Documented;
        };
        return hasAllWords(phrase, [method, path, tag, ...textsOf(documented, system)]);
      };
      return one.set('operations', one.get<Values>('operations').filter(isFound));
    })
    .filter((one) => one.get<Values>('operations').size > 0);
}

function foundWebhooks(system: System) {
  const all = Object.entries(system.specSelectors.selectWebhooksOperations());
  const phrase = phraseOf(system);
  return Object.fromEntries(
    all.filter(([type, [{ operation }]]) =>
      hasAllWords(phrase, [
        type,
        'webhook event',
        ...textsOf(operation.get<Values>('operation').toJS() as Documented, system),
      ]),
    ),
  );
}

function textsOf(operation: Documented, system: System): string[] {
  const { summary = '', description = '', operationId = '', parameters = [], requestBody, responses = {} } = operation;
  const body = requestBody?.content['application/json']?.schema.$ref?.replace(/.*\//, '');
  const fields = body && system.specSelectors.specJson().getIn<Values>(['components', 'schemas', body, 'properties']);
  return [
    summary,
    description,
    operationId,
    ...parameters.map(({ name }) => name),
    ...(fields ? fields.keySeq().toArray() : []),
    ...Object.keys(responses),
  ];
}

function hasAllWords(phrase: string, texts: string[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return phrase
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** As on other sites of documentation. */
function focusOnSlash(): () => void {
  const focus = (event: KeyboardEvent) => {
    const isTyping = (event.target as HTMLElement).matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    document.getElementById(INPUT_ID)?.focus();
  };
  document.addEventListener('keydown', focus);
  return () => document.removeEventListener('keydown', focus);
}
