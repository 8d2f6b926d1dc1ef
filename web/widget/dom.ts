/** An element with attributes and children. Text is never read as HTML. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

type Attributes = Record<string, string | number | boolean>;

export function set(element: Element, attributes: Attributes): void {
  for (const name in attributes) element.setAttribute(name, `${attributes[name]}`);
}

/** A URL, resolved like the address of a link, if it is http or https. */
export function webUrl(url: unknown): string | undefined {
  const link = document.createElement('a');
  link.href = url as string;
  return url && /^https?:$/.test(link.protocol) ? link.href : undefined;
}
