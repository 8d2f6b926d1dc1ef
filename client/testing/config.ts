import { contentIn } from '../command/document.ts';
import { type Answer, type Body, RetentionFlow } from '../src/index.ts';

/** What a document has changed in a workspace. */
export type Plan = Answer<'config_apply'>;

/**
 * Makes a workspace as a document says. Pictures beside it are not uploaded: `retention-flow apply` does that.
 *
 * @param yaml the text of the document, in YAML or JSON. A new flow needs its `cancellation_url`
 * @throws ApiError if the service refuses it: `errors` say where
 */
export function applyConfig(yaml: string, { url, apiKey }: { url: string; apiKey: string }): Promise<Plan> {
  const document = contentIn(yaml, 'the document') as Body<'config_apply'>;
  return new RetentionFlow({ baseUrl: url, apiKey }).config.apply(document);
}
