import type { Flow, FlowVersion, UpdateFlow } from '@retention-flow/client';
import { metadataOf, rowsOf } from '../ui/metadata';

/** A field of a flow that has an input. */
interface FlowField<Value, Shown> {
  /** No two are the same: differences are listed by them. */
  label: string;
  /** The value of its input. */
  shown: (value: Value) => Shown;
  /** The value of an input, as the service takes it. */
  sent: (shown: Shown) => Value;
}

const asItIs = <Value>(label: string): FlowField<Value, Value> => ({
  label,
  shown: (value) => value,
  sent: (shown) => shown,
});

const optionalText = (label: string): FlowField<string | null, string> => ({
  label,
  shown: (value) => value ?? '',
  sent: (shown) => shown || null,
});

const optionalNumber = (label: string): FlowField<number | null, string> => ({
  label,
  shown: (value) => String(value ?? ''),
  sent: (shown) => (shown === '' ? null : Number(shown)),
});

/** Content without an input: it has editors of its own. */
const GRAPH = ['offer_ids', 'survey', 'definition'] as const;

type Content = Exclude<keyof Flow & keyof FlowVersion, 'created_at'>;
type Team = Exclude<keyof UpdateFlow, Content | 'key' | 'status' | 'exit' | 'install'>;

/** Fields that versions and drafts have. */
const CONTENT_INPUTS = {
  name: asItIs<string>('Name'),
  product_name: asItIs<string>('Product'),
  cancellation_url: asItIs<string>('Cancellation page'),
  flow_mode: asItIs<Flow['flow_mode']>('Kind of flow'),
  cancel_in_billing: asItIs<boolean>('Billing cancels'),
  after_cancel: asItIs<Flow['after_cancel']>('After cancelling'),
  canceled_title: asItIs<string>('Title after cancelling'),
  canceled_body: asItIs<string>('Text after cancelling'),
  translations: asItIs<Flow['translations']>('After cancelling, in other languages'),
  locale: asItIs<string>('Language'),
} satisfies Record<Exclude<Content, (typeof GRAPH)[number]>, unknown>;

/** Fields that only the team sees. */
const TEAM_INPUTS = {
  description: optionalText('Note'),
  estimated_monthly_value: optionalNumber('Monthly value'),
  notification_email: optionalText('Notification email'),
  metadata: { label: 'Metadata', shown: rowsOf, sent: metadataOf },
} satisfies Record<Team, unknown>;

/** The fields of a flow that have inputs. Every list of a flow's fields in the console is made of them. */
export const INPUTS = { ...CONTENT_INPUTS, ...TEAM_INPUTS };
export const INPUT_NAMES = Object.keys(INPUTS) as InputName[];
export const CONTENT_FIELDS: Content[] = [
  ...(Object.keys(CONTENT_INPUTS) as (keyof typeof CONTENT_INPUTS)[]),
  ...GRAPH,
];

export type InputName = keyof typeof INPUTS;

/** The values of all inputs. */
export type Inputs = { [Name in InputName]: ReturnType<(typeof INPUTS)[Name]['shown']> };

export function inputsOf(flow: Pick<Flow, InputName>): Inputs {
  const shown = (name: InputName) => (INPUTS[name].shown as (value: unknown) => unknown)(flow[name]);
  return Object.fromEntries(INPUT_NAMES.map((name) => [name, shown(name)])) as Inputs;
}

/** The fields as the service takes them. */
export function fieldsOf(inputs: Inputs): Pick<Flow, InputName> {
  const sent = (name: InputName) => (INPUTS[name].sent as (value: unknown) => unknown)(inputs[name]);
  return Object.fromEntries(INPUT_NAMES.map((name) => [name, sent(name)])) as Pick<Flow, InputName>;
}
