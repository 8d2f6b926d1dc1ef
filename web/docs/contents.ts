import type { Plugin, System, Values } from './swagger-ui';

/** Lists the parts of the page: beside it where there is room, and else after the introduction. */
export const contents = ({ React }: System): Plugin => {
  const { createElement: h, Fragment } = React;
  return {
    wrapComponents: {
      InfoContainer: (InfoContainer, system) => (props) => {
        const tags = system.specSelectors.specJson().get<Values>('tags').toJS() as { name: string }[];
        const link = (title: string, href: string, selector: string) => {
          const go = (event: Event) => {
            event.preventDefault();
            history.replaceState(null, '', href);
            document.querySelector(selector)?.scrollIntoView();
          };
          return h('li', { key: title }, h('a', { href, onClick: go }, title));
        };
        const list = [
          ...tags.map(({ name }) => link(name, `#/${encodeURIComponent(name)}`, `[data-tag="${name}"]`)),
          link('What webhooks are sent', '#webhooks', '.webhooks'),
          link('Errors', '#errors', '#errors'),
        ];
        return h(
          Fragment,
          null,
          h('section', { 'aria-label': 'Introduction' }, h(InfoContainer, props)),
          h('nav', { 'aria-label': 'Contents' }, h('ul', null, list)),
        );
      },
    },
  };
};
