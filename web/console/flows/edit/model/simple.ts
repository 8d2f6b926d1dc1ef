import type { Flow, FlowDefinition } from '@retention-flow/client';
import { composeDefinition, defaultSurvey } from '../../../../../src/flows/graph/simple-definition';
import { isSame } from '../../same';

/**
 * What a simple flow says if a graph is one that the service composes: its offers and its survey. Undefined for another
 * graph.
 */
export function simpleOf(graph: FlowDefinition, locale = 'en'): Pick<Flow, 'offer_ids' | 'survey'> | undefined {
  const offer_ids = graph.nodes.flatMap((node) => (node.type === 'offer' ? [node.config.offer_id] : []));
  const survey = graph.nodes.find((node) => node.type === 'survey')?.config;
  if (!survey || survey.options.some(({ next }) => next !== undefined)) return undefined;
  if (!isSame(graph, composeDefinition(offer_ids, survey, locale))) return undefined;
  return { offer_ids, survey: isSame(survey, defaultSurvey(locale)) ? null : survey };
}
