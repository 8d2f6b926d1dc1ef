import { Turns } from '../platform/common/turns';
import { isPlainObject } from '../platform/common/json';
import { jsonPointer } from '../platform/api/problems/json-pointer';
import { plain } from '../platform/api/fields/plain';
import { type FieldError, Problem } from '../platform/api/problems/problem';
import { FlowDefinition } from '../flows/dto/flow-definition.dto';
import { checked } from '../platform/api/fields/validation';
import { UpdateOwnWorkspaceDto } from '../workspaces/dto/workspace.dto';
import { mapNames, repeatsIn } from './names';
import { collect } from './plan';
import {
  ConfigAudienceDto,
  ConfigDto,
  ConfigFlowDto,
  ConfigOfferDto,
  ConfigWebhookDto,
  MAX_THINGS,
} from './dto/configuration.dto';

const SECTIONS = {
  audiences: ConfigAudienceDto,
  offers: ConfigOfferDto,
  flows: ConfigFlowDto,
  webhooks: ConfigWebhookDto,
} as const;
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

/** The keys of the offers that a flow of a document names, if they are valid keys. */
export function offerKeysIn({ offer_keys = [], definition = {} }: ConfigFlowDto): string[] {
  const keys = [...offer_keys];
  mapNames(definition, {
    offer: (config) => {
      keys.push(config.offer_key);
      return config;
    },
  });
  return keys.filter((key) => typeof key === 'string');
}

/** The keys of the audiences that a flow of a document names, if they are valid keys. */
export function audienceKeysIn({ definition = {} }: ConfigFlowDto): string[] {
  const keys: unknown[] = [];
  mapNames(definition, {
    audience: (condition) => {
      keys.push(condition.audience_key);
      return condition;
    },
  });
  return keys.filter((key) => typeof key === 'string');
}

/** How a document's keys become ids. */
export interface KnownKeys {
  offer: (key: unknown) => string | undefined;
  audience: (key: unknown) => string | undefined;
}

/** A flow with ids in place of the keys that it names, and what is wrong with these and its graph. */
export function inIds(
  { offer_keys, definition, ...entry }: Omit<ConfigFlowDto, 'key' | 'slug' | 'exit'>,
  idOf: KnownKeys,
) {
  const faults: FieldError[] = [];
  const known = (what: keyof KnownKeys, key: unknown, pointer: string) => {
    const id = idOf[what](key);
    if (id === undefined) collect(faults, [{ pointer, message: NOT_KNOWN[what] }]);
    return id ?? UNKNOWN;
  };
  const offer_ids = offer_keys?.map((key, index) => known('offer', key, `/offer_ids/${index}`));
  const graph =
    definition &&
    mapNames(definition, {
      offer: ({ offer_key, ...config }, path) => ({
        ...config,
        offer_id: known('offer', offer_key, jsonPointer('definition', ...path, 'offer_id')),
      }),
      audience: ({ audience_key, ...condition }, path) => ({
        ...condition,
        audience: known('audience', audience_key, jsonPointer('definition', ...path, 'audience')),
      }),
    });
  const valid = graph && plain(validated(FlowDefinition, graph, ['definition'], faults));
  return { faults, wanted: { ...entry, ...(offer_ids && { offer_ids }), ...(valid && { definition: valid }) } };
}

const NOT_KNOWN: Record<keyof KnownKeys, string> = {
  offer: 'is no offer of the document, and no active one of the workspace',
  audience: 'is no audience of the document, and none of the workspace',
};
