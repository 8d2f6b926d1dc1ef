import { type Plugin, type System, tagsOf, unfold } from './swagger-ui';

/** Lists the parts of the page: beside it where there is room, and else after the introduction. */
export const contents = ({ React }: System): Plugin => {
  const { createElement: h, Fragment } = React;
  return {
    wrapComponents: {
      InfoContainer: (InfoContainer, system) => (props) => {
        const link = (title: string, href: string, selector: string, tag?: string) => {
          const go = (event: Event) => {
            event.preventDefault();
            if (tag) unfold(system, tag);
            history.replaceState(null, '', href);
            document.querySelector(selector)?.scrollIntoView();
          };
          return h('li', { key: title }, h('a', { href, onClick: go }, title));
        };
        const list = [
          ...tagsOf(system).map((tag) => link(tag, `#/${encodeURIComponent(tag)}`, `[data-tag="${tag}"]`, tag)),
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
