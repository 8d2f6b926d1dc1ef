import { Turns } from '../platform/common/turns';
import { isPlainObject } from '../platform/api/fields/fields';
import { jsonPointer } from '../platform/api/problems/json-pointer';
import { plain } from '../platform/api/fields/plain';
import { type FieldError, Problem } from '../platform/api/problems/problem';
import { FlowDefinition } from '../flows/dto/flow-definition.dto';
import { checked } from '../platform/api/fields/validation';
import { UpdateOwnWorkspaceDto } from '../workspaces/dto/workspace.dto';
import { collect } from './plan';
import { ConfigDto, ConfigFlowDto, ConfigOfferDto, ConfigWebhookDto, MAX_THINGS } from './dto/configuration.dto';

const SECTIONS = { offers: ConfigOfferDto, flows: ConfigFlowDto, webhooks: ConfigWebhookDto } as const;
type Section = keyof typeof SECTIONS;

/** An id in place of an offer that nobody knows, so that the rest of a flow is validated. */
const UNKNOWN = '00000000-0000-0000-0000-000000000000';

/** The most that an entry, or the settings, may have as JSON: what the body of a request about one thing may have. */
const MAX_ENTRY_KIB = 256;
const MAX_ENTRY_VALUES = 20_000;

/** A document as it was sent, its fields validated. Throws a 400 with a pointer to each fault. */
export async function readDocument(sent: unknown): Promise<ConfigDto> {
  if (!isPlainObject(sent)) throw Problem.invalid([{ pointer: '', message: 'must be an object' }]);
  const { settings, ...sections } = sent;
  const faults = Object.entries(sections)
    .filter(([name, list]) => !Object.hasOwn(SECTIONS, name) || !Array.isArray(list))
    .map(([name]) => ({
      pointer: jsonPointer(name),
      message: Object.hasOwn(SECTIONS, name) ? 'must be a list' : 'is not a known field',
    }));
  if (settings !== undefined && !isPlainObject(settings)) {
    faults.push({ pointer: '/settings', message: 'must be an object' });
  }
  const tooLarge = settings === undefined ? undefined : sizeFault(settings, ['settings']);
  if (tooLarge) faults.push(tooLarge);
  if (faults.length > 0) throw Problem.invalid(faults);
  const things = Object.values(sections).reduce((sum: number, list) => sum + (list as unknown[]).length, 0);
  if (things > MAX_THINGS) throw Problem.invalid([{ pointer: '', message: `has more than ${MAX_THINGS} things` }]);

  const read: ConfigDto = {};
  const turns = new Turns();
  for (const [name, list] of Object.entries(sections) as [Section, unknown[]][]) {
    const entries: { key: string }[] = [];
    for (const [index, entry] of list.entries()) {
      await turns.next();
      const fault = sizeFault(entry, [name, index]);
      if (fault) throw Problem.invalid([...faults, fault]);
      entries.push(plain(validated<{ key: string }>(SECTIONS[name], entry, [name, index], faults)));
    }
    collect(faults, repeatsIn(entries, name, 'key'));
    if (name === 'flows') collect(faults, repeatsIn(entries as ConfigFlowDto[], name, 'slug'));
    Object.assign(read, { [name]: entries });
  }
  if (settings) read.settings = plain(validated(UpdateOwnWorkspaceDto, settings, ['settings'], faults));
  if (faults.length > 0) throw Problem.invalid(faults);
  return read;
}

/** The fault of a part of a document that is too large, and would take too long to validate. */
function sizeFault(part: unknown, path: (string | number)[]): FieldError | undefined {
  const text = JSON.stringify(part);
  const pointer = jsonPointer(...path);
  if (Buffer.byteLength(text) > MAX_ENTRY_KIB * 1024)
    return { pointer, message: `is larger than ${MAX_ENTRY_KIB} KiB` };
  const values = text.length > MAX_ENTRY_VALUES ? (text.match(/[,[{]/g)?.length ?? 0) : 0;
  return values > MAX_ENTRY_VALUES ? { pointer, message: `has more than ${MAX_ENTRY_VALUES} values` } : undefined;
}

/** A part of a document as an instance of its DTO. Its faults are added to the others. */
function validated<T extends object>(
  type: new () => T,
  value: unknown,
  path: (string | number)[],
  faults: FieldError[],
): T {
  if (isPlainObject(value)) {
    const { dto, faults: own } = checked(type, value, path);
    collect(faults, own);
    return dto;
  }
  collect(faults, [{ pointer: jsonPointer(...path), message: 'must be an object' }]);
  return new type();
}

function repeatsIn<Field extends string>(
  entries: { [Name in Field]?: string }[],
  section: Section,
  field: Field,
): FieldError[] {
  const seen = new Set<string>();
  return entries.flatMap(({ [field]: value }, index) => {
    const isRepeated = value !== undefined && seen.has(value);
    if (value !== undefined) seen.add(value);
    return isRepeated ? [{ pointer: jsonPointer(section, index, field), message: 'is given twice' }] : [];
  });
}

/** The keys of the offers that a flow of a document names, if they are valid keys. */
export function offerKeysIn({ offer_keys = [], definition = {} }: ConfigFlowDto): string[] {
  const keys = [...offer_keys];
  mapOffers(definition, (config) => {
    keys.push(config.offer_key);
    return config;
  });
  return keys.filter((key) => typeof key === 'string');
}

/** A flow with ids in place of the keys of its offers, and what is wrong with these and its graph. */
export function inIds(
  { offer_keys, definition, ...entry }: Omit<ConfigFlowDto, 'key' | 'slug'>,
  idOf: (key: unknown) => string | undefined,
) {
  const faults: FieldError[] = [];
  const known = (key: unknown, pointer: string) => {
    const id = idOf(key);
    const message = 'is no offer of the document, and no active one of the workspace';
    if (id === undefined) collect(faults, [{ pointer, message }]);
    return id ?? UNKNOWN;
  };
  const offer_ids = offer_keys?.map((key, index) => known(key, `/offer_ids/${index}`));
  const graph =
    definition && withIds(definition, (key, node) => known(key, `/definition/nodes/${node}/config/offer_id`));
  const valid = graph && plain(validated(FlowDefinition, graph, ['definition'], faults));
  return { faults, wanted: { ...entry, ...(offer_ids && { offer_ids }), ...(valid && { definition: valid }) } };
}

/** The graph of a flow with ids in place of the keys of offers. What is no graph stays as it is. */
function withIds(definition: object, idOf: (key: unknown, node: number) => string): object {
  return mapOffers(definition, ({ offer_key, ...config }, node) => ({ ...config, offer_id: idOf(offer_key, node) }));
}

/** The graph of a flow with keys in place of the ids of offers. */
export function withKeys(definition: object, keyOf: (id: string) => string): object {
  return mapOffers(definition, ({ offer_id, ...config }) => ({ ...config, offer_key: keyOf(offer_id as string) }));
}

function mapOffers(
  definition: object,
  map: (config: Record<string, unknown>, node: number) => Record<string, unknown>,
): object {
  const { nodes } = definition as { nodes?: unknown };
  if (!Array.isArray(nodes)) return definition;
  const mapped = nodes.map((node: unknown, index) =>
    isPlainObject(node) && node.type === 'offer' && isPlainObject(node.config)
      ? { ...node, config: map(node.config, index) }
      : node,
  );
  return { ...definition, nodes: mapped };
}
