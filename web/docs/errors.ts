import type { Collection, Plugin, System, Values } from './swagger-ui';

interface DocumentedError {
  status: number;
  code: string;
  when: string;
  advice: string;
}

const SECTION_ID = 'errors';

/** Shows the errors that many operations share once, in a table, instead of with each operation. */
export const errors = ({ React }: System): Plugin => {
  const { createElement: h, Fragment } = React;
  return {
    wrapComponents: {
      responses: (Responses, system) => (props) => {
        const responses = props.responses as Collection;
        const path = (props.specPath as Values).toJS() as string[];
        const documented = system.specSelectors.specJson().getIn<Values>(path);
        // What an operation refers to is not its own.
        const isShared = (status: string) => documented.getIn([status, '$ref'], undefined) !== undefined;
        const own = responses.filter((_, status) => !isShared(status));
        const shared = responses.keySeq().toArray().filter(isShared);
        const line = h(
          'p',
          { className: 'shared-errors' },
          'And errors that many operations have: ',
          h('a', { href: `#${SECTION_ID}` }, shared.join(', ')),
          '.',
        );
        return h(Fragment, null, h(Responses, { ...props, responses: own }), shared.length > 0 ? line : null);
      },
      // Where Swagger UI would list all schemas.
      Models: (_, system) => () => {
        const documented = system.specSelectors.specJson().get<Values>('x-errors').toJS() as DocumentedError[];
        const Markdown = system.getComponent('Markdown', true);
        const rows = documented.map(({ status, code, when, advice }) =>
          h(
            'tr',
            { key: code },
            h('td', null, status),
            h('th', { scope: 'row' }, h('code', null, code)),
            h('td', null, when),
            h('td', null, h(Markdown, { source: advice })),
          ),
        );
        const head = ['Status', 'Code', 'When', 'What to do'].map((name) => h('th', { key: name, scope: 'col' }, name));
        return h(
          'section',
          { id: SECTION_ID, className: 'errors', 'aria-labelledby': 'errors-title', tabIndex: -1 },
          h('h2', { id: 'errors-title' }, 'Errors'),
          h(
            'p',
            null,
            'Every error is a problem (RFC 9457) with a ',
            h('code', null, 'code'),
            ' that never changes and a ',
            h('code', null, 'request_id'),
            ' that finds it in the logs. An operation lists the errors that are its own.',
          ),
          h('table', null, h('thead', null, h('tr', null, head)), h('tbody', null, rows)),
        );
      },
    },
  };
};
