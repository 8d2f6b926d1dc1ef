import { languagesFor } from '../platform/text/languages';
import { type Attributes, resolve } from '../platform/text/placeholders';
import { type PageConfig, type ShownNode, shownNodeOf } from '../flows/graph/flow-definition';
import { configIn } from '../flows/languages/flow-translations';
import type { FlowVersion } from '../flows/versions/flow-version.entity';
import { customerView, type ShownOffer } from '../offers/shown-offer';

/** A node as a widget renders it: one of the classes in `node.dto.ts`. */
export interface RuntimeNode {
  key: string;
  type: ShownNode['type'];
  config: object;
}

/** A customer's language and attributes, on which the shown nodes of a version depend. */
export interface ShownFor {
  version: Pick<FlowVersion, 'definition' | 'product_name' | 'flow_mode' | 'locale' | 'survey'>;
  locale: string;
  attributes: Attributes;
}

/**
 * A node of a version as its customer sees it: in their language, without where it leads, with values in its texts, and
 * with the offer in place of its id.
 */
export function shown(
  { version, locale, attributes }: ShownFor,
  node_key: string,
  offer: ShownOffer | null,
): RuntimeNode {
  const node = shownNodeOf(version.definition, node_key);
  const { key, type } = node;
  if (offer) return { key, type, config: customerView(offer) };
  if (type === 'offer') return { key, type, config: node.config };
  const { product_name } = version;
  const config = configIn(version, node, languagesFor(locale, version.locale));
  const { title, body, image, points } = config as PageConfig;
  const resolved = (text: string) => resolve(text, attributes, { product_name });
  const filled = points?.map(resolved).filter((point) => point.trim() !== '') ?? [];
  const texts = {
    title: resolved(title),
    ...(body !== undefined && { body: resolved(body) }),
    ...(image !== undefined && { image }),
    ...(points && { points: filled }),
  };
  if (!('options' in config)) return { key, type, config: { ...config, ...texts } };
  const options = config.options.map(({ value, label, comment_label }) => ({
    value,
    label,
    ...(comment_label && { comment_label }),
  }));
  return { key, type, config: { ...config, ...texts, options } };
}
