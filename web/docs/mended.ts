import type { Plugin, System } from './swagger-ui';

/** What Swagger UI leaves unnamed or unreachable for people who use a screen reader or a keyboard. */
export const mended = ({ React }: System): Plugin => {
  const { createElement: h } = React;
  return {
    wrapComponents: {
      // The name of an operation is inside the button that opens it, which a link must not be. Opening it changes the
      // address.
      DeepLink:
        () =>
        ({ text }) =>
          h('span', null, text as string),
      // There is one server: that of this page.
      ServersContainer: () => () => null,
      ExamplesSelect: (ExamplesSelect) => (props) =>
        h('label', null, h('span', { className: 'visually-hidden' }, 'Example'), h(ExamplesSelect, props)),
    },
  };
};
