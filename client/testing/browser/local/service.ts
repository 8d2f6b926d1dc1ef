import { validateStep } from 'shapes';
import { type Fact, FACT_NAMES, isValueOf } from '../../../../src/conditions/facts';
import { armFaults } from '../../../../src/flows/graph/flow-faults';
import { MAX_RESULT } from '../../../../src/flows/graph/graph-limits';
import { jsonPointer } from '../../../../src/platform/api/problems/json-pointer';
import { type FieldError, Problem } from '../../../../src/platform/api/problems/problem';
import { canonicalTag, languagesOfOffers } from '../../../../src/platform/text/languages';
import { shown } from '../../../../src/runtime/shown-node';
import { shownSession } from '../../../../src/runtime/shown-session';
import { decide } from '../../../../src/runtime/step/decide';
import { type Position, positionAt, type Step, type TakenStep } from '../../../../src/runtime/step/next-step';
import { warn } from '../../../headless/warn';
import type { FakeOptions } from '../options.ts';
import type { LocalFlow } from './document';
import { refused, shapeFaults } from './faults';
import { bytesOf } from './of-node';

interface LocalSession {
  session_id: string;
  position: Position;
  steps: TakenStep[];
}

/**
 * The `fetch` of a program whose service has one flow and one customer, in the program's memory.
 *
 * @throws Error with a line for each option that can't be meant
 */
export function localService(flow: LocalFlow, options: FakeOptions): typeof fetch {
  const { content: version, offers, branding } = flow;
  const { customer = {}, arm: arms = {} } = options;
  const { attributes = {}, facts = {} } = customer;
  const locale = canonicalTag(options.locale ?? version.locale) ?? '';
  const faults = [
    ...(locale === '' ? [{ pointer: '/locale', message: 'must be a language tag, like de' }] : []),
    ...armFaults(version.definition, arms),
    ...Object.entries(facts)
      .filter(([name, value]) => !FACT_NAMES.includes(name as Fact) || !isValueOf(name as Fact, value))
      .map(([name]) => ({
        pointer: jsonPointer('customer', 'facts', name),
        message: 'is no fact, or has another type',
      })),
  ];
  if (faults.length > 0) throw refused('The options', faults);
  const context = {
    offers,
    languages: languagesOfOffers(locale, version.locale),
    locale,
    attributes,
    facts,
    audiences: Object.fromEntries(flow.audiences),
    draws: {},
    arms,
    usedUpLimit: () => undefined,
  };
  const sessions = new Map<string, LocalSession>();

  function start() {
    const session_id = `00000000-0000-4000-8000-${String(sessions.size + 1).padStart(12, '0')}`;
    const { entry } = version.definition;
    sessions.set(session_id, { session_id, position: positionAt(entry), steps: [] });
    const entry_node = shown({ version, locale, attributes }, entry, null);
    return { session_id, locale, flow: { name: version.name, branding, entry_node } };
  }

  function read({ session_id, position }: LocalSession) {
    const state = { session_id, status: position.status, position, version, locale, attributes };
    return { ...shownSession(state), branding };
  }

  function take({ session_id, position, steps }: LocalSession, step: Step) {
    const misshapen = stepFaults(step);
    if (misshapen.length > 0) throw Problem.invalid(misshapen);
    const session = { ...position, session_id, locale, is_erased: false, is_expired: false };
    const visitor = customer.id ?? session_id;
    const decided = decide({ session, version, steps: [step] }, steps, { ...context, visitor, now: new Date() });
    const [result] = decided.results;
    if (result instanceof Problem) throw result;
    sessions.set(session_id, { session_id, position: decided.position, steps: [...steps, ...decided.steps] });
    return shownSession(result);
  }

  function answer(address: string, { method, body }: RequestInit = {}): object {
    if (address.endsWith('/init')) return start();
    const session = sessions.get(/\/session\/([^/]+)/.exec(address)![1]);
    if (!session) throw new Problem('session_not_found');
    return method === 'POST' ? take(session, JSON.parse(body as string) as Step) : read(session);
  }

  return ((address: string, init?: RequestInit) => {
    try {
      return Promise.resolve(response(200, answer(address, init)));
    } catch (error) {
      if (error instanceof Problem) {
        if (error.code === 'invalid_request') warn(`the service would refuse this step: ${error.message}`);
        return Promise.resolve(response(error.status, error.body('local')));
      }
      // The walk takes it for a service that is away: whoever tests should hear of it.
      queueMicrotask(() => {
        throw error;
      });
      return Promise.reject(error);
    }
  }) as typeof fetch;
}

/** What the interface refuses of a step, whatever the flow is. */
function stepFaults(step: Step): FieldError[] {
  const isTooLong = bytesOf(JSON.stringify(step.result ?? null)).length > MAX_RESULT;
  return [
    ...shapeFaults(validateStep, step),
    ...(isTooLong ? [{ pointer: '/result', message: `must be JSON of at most ${MAX_RESULT} bytes` }] : []),
  ];
}

/** What is read of a response. Environments for tests, such as jsdom, have no `Response` and no `Headers`. */
function response(status: number, body: object) {
  const text = JSON.stringify(body);
  return { ok: status < 400, status, headers: new Map(), json: async () => JSON.parse(text) as unknown };
}
