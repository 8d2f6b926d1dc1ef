import type { Flow, FlowDefinition, FlowNode } from '@retention-flow/client';
import { percent } from '../ui/format';
import { INPUT_NAMES, type InputName, INPUTS } from './flow-fields';
import { type Difference, type Lines, rowsOf } from '../versions/difference';
import { jsonText } from '../ui/json';
import { conditionWords } from './graph/condition-words';
import { titleOf, TYPE_NAMES } from './graph/graph-outline';

/** What customers see of a flow, and what the team says of it. */
export type Content = Pick<Flow, 'definition'> & Partial<Pick<Flow, InputName>>;

type Offers = ReadonlyMap<string, { name: string }>;

/** How one content of a flow differs from another, in words. What only one of them has, such as notes, is left out. */
export function differencesOf(before: Content, after: Content, offers: Offers): Difference[] {
  const common = INPUT_NAMES.filter((name) => before[name] !== undefined && after[name] !== undefined);
  const fieldsOf = (content: Content) => new Map(common.map((name) => [INPUTS[name].label, textOf(content[name])]));
  const fields = rowsOf(fieldsOf(before), fieldsOf(after));
  // A step that is called something else now is still the one that others lead to.
  const titles = new Map(
    [before, after].flatMap(({ definition }) =>
      definition.nodes.map((node) => [node.key, titleOf({ ...node }, offers)]),
    ),
  );
  const [old, now] = [nodesOf(before.definition, titles, offers), nodesOf(after.definition, titles, offers)];
  const keys = new Set([...now.keys(), ...old.keys()]);
  const nodes = [...keys].flatMap((key): Difference[] => {
    const [earlier, later] = [old.get(key), now.get(key)];
    const rows = rowsOf(earlier?.lines ?? new Map(), later?.lines ?? new Map());
    const is = earlier ? (later ? 'changed' : 'removed') : 'added';
    return rows.length > 0 ? [{ title: (later ?? earlier)!.title, is, rows }] : [];
  });
  return [...(fields.length > 0 ? [{ title: 'The flow', is: 'changed' as const, rows: fields }] : []), ...nodes];
}

function textOf(value: Content[InputName]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

function nodesOf(
  { entry, nodes }: FlowDefinition,
  titles: Lines,
  offers: Offers,
): Map<string, { title: string; lines: Lines }> {
  const to = (key: string) => `→ ${titles.get(key) ?? key}`;
  return new Map(
    nodes.map((node) => {
      const lines = linesOf(node, to, offers);
      if (node.key === entry) lines.set('Place', 'The flow begins here');
      return [node.key, { title: `${TYPE_NAMES[node.type]} “${titles.get(node.key)}”`, lines }];
    }),
  );
}

/** Everything that a node says and does, line by line. */
function linesOf(node: FlowNode, to: (key: string) => string, offers: Offers): Lines {
  const then: [string, string][] = 'next' in node ? [['Then', to(node.next)]] : [];
  switch (node.type) {
    case 'offer':
      return new Map([['Offer', offers.get(node.config.offer_id)?.name ?? node.config.offer_id], ...then]);
    case 'branch':
      return new Map([
        ...node.config.ways.map(({ when, next }, index): [string, string] => [
          `Path ${index + 1}`,
          `If ${conditionWords(when)} ${to(next)}`,
        ]),
        ['Otherwise', to(node.next)],
      ]);
    case 'split': {
      const whole = node.config.ways.reduce((sum, { weight }) => sum + weight, 0) || 1;
      return new Map([
        ...node.config.ways.map(({ name, weight, next, control }): [string, string] => [
          `Arm ${name}`,
          `${percent(weight / whole)}${control ? ', control' : ''} ${to(next)}`,
        ]),
        ['Draws by', node.config.salt ?? 'its key'],
      ]);
    }
    case 'survey':
      return new Map([
        ...pageLines(node.config),
        ['Comment', node.config.comment ?? 'none'],
        ...(node.config.multiple ? [['Answers', 'several may be chosen'] as [string, string]] : []),
        ['Order of the answers', node.config.options.map(({ value }) => value).join(', ')],
        ...node.config.options.map(({ value, label, next, feedback, comment_label }): [string, string] => [
          `Answer ${value}`,
          [
            label,
            comment_label && `(asks “${comment_label}”)`,
            next && to(next),
            feedback && `(billing hears ${feedback})`,
          ]
            .filter(Boolean)
            .join(' '),
        ]),
        ...then,
      ]);
    case 'custom':
      return new Map([
        ...pageLines(node.config),
        ['Kind', node.config.kind],
        ['Data', jsonText(node.config.data)],
        ...then,
      ]);
    default:
      return new Map([...pageLines(node.config), ...then]);
  }
}

interface PageWords {
  title?: string;
  body?: string;
  options?: Record<string, string> | object[];
  comment_labels?: Record<string, string>;
  points?: string[];
  image?: { url: string; alt: string } | null;
  image_alt?: string;
  translations?: Record<string, PageWords>;
}

/** What a page says in its own language, and in others. */
function pageLines({ title, body, points, image, translations = {} }: PageWords): [string, string][] {
  const translated = Object.entries(translations).flatMap(([language, words]) => {
    const answers = Object.entries(words.options ?? {}).map(([value, label]) => [`Answer ${value}`, String(label)]);
    const asked = Object.entries(words.comment_labels ?? {}).map(([value, text]) => [`Question to ${value}`, text]);
    return [...linesOfWords(words), ...answers, ...asked].map(([what, text]): [string, string] => [
      `${what}, ${language}`,
      text,
    ]);
  });
  return [...linesOfWords({ title, body, points, image }), ...translated];
}

function linesOfWords({ title, body, points = [], image, image_alt }: PageWords): [string, string][] {
  const lines: [string, string | undefined][] = [
    ['Title', title],
    ['Text', body],
    ...points.map((point, index): [string, string] => [`Point ${index + 1}`, point]),
    ['Picture', image?.url],
    ['Description of the picture', image?.alt ?? image_alt],
  ];
  return lines.filter((line): line is [string, string] => Boolean(line[1]));
}
