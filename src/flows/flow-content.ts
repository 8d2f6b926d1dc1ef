import { isDeepStrictEqual } from 'node:util';
import { pick } from '../platform/common/pick';
import { jsonPointer } from '../platform/api/problems/json-pointer';
import { type FieldError, Problem } from '../platform/api/problems/problem';
import type { UsedImage } from '../images/images.service';
import { type FlowDefinition, type FlowNode, offersOf } from './graph/flow-definition';
import { MAX_OFFERS } from './graph/graph-limits';
import { composeDefinition, SURVEY_POINTER } from './graph/simple-definition';
import { faultsOf } from './graph/flow-faults';
import { CANCELED_TEXTS } from './languages/canceled-words';
import { faultsOfEnd } from './languages/flow-translations';
import { FLOW_CONTENT } from './versions/flow-content-fields';
import type { FlowContent } from './versions/flow-version.entity';

/** Changes that a request makes to a flow's content. */
export type ContentChanges = Partial<FlowContent>;

/** A new flow has no graph yet. */
type CurrentContent = Omit<FlowContent, 'definition'> & ContentChanges;

/** Whether changes make content another. */
export function isChangedBy(changes: ContentChanges, content: FlowContent): boolean {
  return Object.entries(changes).some(
    ([field, value]) => !isDeepStrictEqual(value, content[field as keyof FlowContent]),
  );
}

/**
 * Like `draftedContentOf`, but for a flow that customers may see: throws a 400 with a pointer to each fault of a graph
 * or survey in the request.
 */
export function contentOf(current: CurrentContent, changes: ContentChanges): FlowContent {
  const content = draftedContentOf(current, changes);
  const faults = [
    ...(changes.definition || changes.survey ? faultsOfGraphIn(content) : []),
    ...(WORDS_OF_END.some((field) => changes[field] !== undefined) ? faultsOfEnd(content) : []),
  ];
  if (faults.length > 0) throw Problem.invalid(faults);
  return content;
}

/**
 * The content of a flow after changes. In simple mode the service composes the graph; in advanced mode it is the graph
 * in the request, or else the current one. Throws a 400 with a pointer to a field that the flow's mode doesn't take.
 */
export function draftedContentOf(current: CurrentContent, changes: ContentChanges): FlowContent {
  const content = pick<CurrentContent, keyof FlowContent>({ ...current, ...changes }, FLOW_CONTENT);
  const { flow_mode, offer_ids, survey, locale } = content;
  if (flow_mode === 'simple') {
    if (changes.definition)
      throw Problem.invalid([{ pointer: '/definition', message: 'is only for an advanced flow' }]);
    if (offer_ids.length > MAX_OFFERS) {
      const message = `can't be simple with the ${offer_ids.length} offers of the graph: send offer_ids, ${MAX_OFFERS} at most`;
      throw Problem.invalid([{ pointer: '/flow_mode', message }]);
    }
    return { ...content, definition: composeDefinition(offer_ids, survey, locale) };
  }
  for (const field of ['offer_ids', 'survey'] as const) {
    if (changes[field]) throw Problem.invalid([{ pointer: `/${field}`, message: 'is only for a simple flow' }]);
  }
  const definition = content.definition ?? composeDefinition(offer_ids, survey, locale);
  return { ...content, offer_ids: [...new Set(offersOf(definition).map(({ id }) => id))], survey: null, definition };
}

const WORDS_OF_END = [...CANCELED_TEXTS, 'translations'] as const;

/** The faults of the content, each with a JSON Pointer into it. */
export function faultsOfContent(content: FlowContent): FieldError[] {
  return [...faultsOfGraphIn(content), ...faultsOfEnd(content)];
}

/** In a simple flow, only the survey can have any. */
function faultsOfGraphIn({ flow_mode, definition }: FlowContent): FieldError[] {
  return faultsOf(definition).map(({ pointer, message }) => ({
    pointer: flow_mode === 'simple' ? pointer.replace(SURVEY_POINTER, '/survey') : `/definition${pointer}`,
    message,
  }));
}

/** The offers that content names, each with the JSON Pointer to where its author named it. */
export function offersOfContent({ flow_mode, offer_ids, definition }: FlowContent): { id: string; pointer: string }[] {
  return offersNamedIn(flow_mode === 'simple' ? { offer_ids } : { definition });
}

/** The pictures that are new in a graph: earlier ones may be older than a rule. */
export function newImagesIn({ nodes }: FlowDefinition, before?: FlowDefinition): UsedImage[] {
  const known = new Set(before?.nodes.map((node) => urlIn(node)));
  return nodes.flatMap((node, index) => {
    const url = urlIn(node);
    if (url === undefined || known.has(url)) return [];
    return [{ url, pointer: jsonPointer('definition', 'nodes', index, 'config', 'image', 'url') }];
  });
}

/** A graph whose pages go on without the pictures with these URLs. */
export function withoutImages(definition: FlowDefinition, urls: string[]): FlowDefinition {
  const nodes = definition.nodes.map((node) =>
    urls.includes(urlIn(node) ?? '') ? ({ ...node, config: { ...node.config, image: null } } as FlowNode) : node,
  );
  return { ...definition, nodes };
}

/** The URL of the picture that a page shows. */
function urlIn({ config }: FlowNode): string | undefined {
  return 'image' in config ? config.image?.url : undefined;
}

/** The offers that the changes name, each with the JSON Pointer to its place in the request. */
export function offersNamedIn({ offer_ids = [], definition }: ContentChanges): { id: string; pointer: string }[] {
  return [
    ...offer_ids.map((id, index) => ({ id, pointer: jsonPointer('offer_ids', index) })),
    ...(definition ? offersOf(definition).map(({ id, pointer }) => ({ id, pointer: `/definition${pointer}` })) : []),
  ];
}
