import { isDeepStrictEqual } from 'node:util';
import { jsonPointer } from '../platform/api/problems/json-pointer';
import { type FieldError, MAX_FIELD_ERRORS, Problem } from '../platform/api/problems/problem';
import { differences } from './differences';
import { type ConfigPlanDto, type Kind, MAX_DIFFERENCES } from './dto/configuration.dto';
import { inDocument } from './names';

/** Rolls back what a dry run has done. */
export class Rehearsed extends Error {
  constructor(readonly plan: ConfigPlanDto) {
    super('dry run');
  }
}

/** Collects the changes that a document makes, and its faults. */
export class Plan {
  readonly changes: ConfigPlanDto = { create: [], update: [], archive: [], unchanged: 0 };
  private readonly faults: FieldError[] = [];

  create(kind: Kind, key: string): void {
    this.changes.create.push({ kind, key });
  }

  archive(kind: Kind, key: string): void {
    this.changes.archive.push({ kind, key });
  }

  /**
   * The fields that differ from what is stored, to change them; undefined if there are none.
   *
   * @param path to the entry in the document
   * @param shown the fields as the document has them
   * @param also what changes with them, although the entry does not say it
   */
  update<T extends object>(
    { kind, key, path, shown = (fields) => fields, also = [] }: Entry,
    wanted: T,
    stored: object,
  ): Partial<T> | undefined {
    const differing = Object.entries(wanted).filter(
      ([field, value]) => !isDeepStrictEqual(value, (stored as Record<string, unknown>)[field]),
    );
    if (differing.length + also.length === 0) {
      this.changes.unchanged++;
      return undefined;
    }
    const changed = Object.fromEntries(differing) as Partial<T>;
    const before = shown(Object.fromEntries(differing.map(([field]) => [field, stored[field as keyof object]])));
    const after = shown(changed);
    this.changes.update.push({
      kind,
      key,
      fields: [...Object.keys(after), ...also],
      changes: differences(before, after, path).slice(0, MAX_DIFFERENCES),
    });
    return changed;
  }

  /** Does a part of the work. Fields that it refuses are faults at this place of the document. */
  async at<T>(path: (string | number)[], work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || error.fields.length === 0) throw error;
      this.refuse(path, error.fields);
      return undefined;
    }
  }

  /** Adds faults, with pointers below this place. */
  refuse(path: (string | number)[], errors: FieldError[]): void {
    const place = jsonPointer(...path);
    const inPlace = errors.map(({ pointer, message }) => ({ pointer: place + inDocument(pointer), message }));
    collect(this.faults, inPlace);
  }

  requireSound(): void {
    if (this.faults.length > 0) throw Problem.invalid(this.faults);
  }
}

/** A thing that a document has an entry for. */
interface Entry {
  kind: Kind;
  key: string;
  path: readonly (string | number)[];
  shown?: (fields: object) => object;
  also?: string[];
}

/** The things that a section of a document leaves out, which are archived; none without the section. */
export function pruned<T extends { called: string; status: string }>(
  things: T[],
  section: { key: string }[] | undefined,
  inUse: string | undefined,
  prune: boolean,
): T[] {
  if (!prune || !section) return [];
  const named = new Set(section.map(({ key }) => key));
  const isUsed = ({ status }: T) => (inUse ? status === inUse : status !== 'archived');
  return things.filter((thing) => isUsed(thing) && !named.has(thing.called));
}

/** Adds faults to others, as far as a response lists them. */
export function collect(faults: FieldError[], more: FieldError[]): void {
  for (const fault of more.slice(0, Math.max(0, MAX_FIELD_ERRORS - faults.length))) faults.push(fault);
}
