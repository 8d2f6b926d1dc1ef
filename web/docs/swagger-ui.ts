/** What the plugins of this page use of Swagger UI and of the React in it, and two things that they do with it. */

export type Component = (props: Props) => Element;
export type Element = object | string | number | null;
export type Props = Record<string, unknown>;

export interface React {
  createElement: (type: string | Component, props?: object | null, ...children: (Element | Element[])[]) => Element;
  Fragment: Component;
  useSyncExternalStore: <T>(subscribe: (changed: () => void) => () => void, read: () => T) => T;
  useState: <T>(initial: T) => [T, (value: T) => void];
  useEffect: (effect: () => void | (() => void), dependencies: unknown[]) => void;
}

/** A collection of Immutable.js. */
export interface Collection<T = unknown> {
  size: number;
  get<V = T>(key: string | number, otherwise?: V): V;
  getIn<V>(path: unknown[], otherwise?: V): V;
  set(key: string, value: unknown): this;
  filter(isIn: (value: T, key: string) => boolean): this;
  map<V>(change: (value: T, key: string) => V): Collection<V>;
  keySeq(): { toArray(): string[] };
  valueSeq(): { toArray(): T[] };
  toJS(): unknown;
}
export type Values = Collection;
/** Tags in their order, each with its `operations`. */
export type TaggedOperations = Collection<Values>;

export interface System {
  React: React;
  getComponent(name: string, isContainer?: boolean): Component;
  getConfigs(): object;
  specSelectors: {
    specJson(): Values;
    taggedOperations(): TaggedOperations;
    operations(): Collection<Values>;
    selectWebhooksOperations(): Record<string, { operation: Values; method: string }[]>;
  };
  layoutSelectors: { currentFilter(): string | boolean };
  layoutActions: { updateFilter(filter: string | boolean): void; show(thing: string[], isShown: boolean): void };
}

/** Replaces a component by one that has the original inside. */
export type Wrapper = (original: Component, system: System) => Component;

export interface Plugin {
  fn?: Record<string, unknown>;
  components?: Record<string, Component>;
  wrapComponents?: Record<string, Wrapper>;
}

/** The tags in the document's order. */
export const tagsOf = ({ specSelectors }: System): string[] =>
  (specSelectors.specJson().get<Values>('tags').toJS() as { name: string }[]).map(({ name }) => name);

/** Shows the operations of a tag, or folds them away. */
export const unfold = ({ layoutActions }: System, tag: string, isShown = true): void =>
  layoutActions.show(['operations-tag', tag], isShown);

declare global {
  function SwaggerUIBundle(options: object): void;
}
