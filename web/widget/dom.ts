/**
 * A property or a method of the browser's own. On `document` and on a form, markup can put an element in its place:
 * `<img name="currentScript">`.
 */
export function own<Target extends Document | HTMLElement, Name extends keyof Target>(
  target: Target,
  name: Name,
): Target[Name] {
  const { prototype } = target === document ? Document : HTMLElement;
  const value = Reflect.get(prototype, name, target) as Target[Name];
  return typeof value === 'function' ? (value.bind(target) as Target[Name]) : value;
}

/** An element with attributes and children. Text is never read as HTML. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = own(document, 'createElement')(tag);
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
  const link = create('a', {});
  link.href = url as string;
  return url && /^https?:$/.test(link.protocol) ? link.href : undefined;
}

/** The address of the service. A `<base>`, which markup can bring along, may change its path, and never its origin. */
export function serviceUrl(url: string): string {
  const [based, plain] = [own(document, 'baseURI'), location.href].map((base) => new URL(url, base));
  return (based.origin === plain.origin ? based : plain).href;
}
