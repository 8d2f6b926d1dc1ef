import type { ConfigDto, ConfigExitDto, ConfigFlowDto } from './dto/configuration.dto';

/** The settings that are the same in each environment of a team. The others are of one. */
const SETTINGS_EVERYWHERE: readonly string[] = ['primary_color', 'logo_url', 'brand'];

/** What a flow has of its environment. */
const FLOW_ENVIRONMENT = [
  'cancellation_url',
  'notification_email',
  'install',
] as const satisfies (keyof ConfigFlowDto)[];
const EXIT_ENVIRONMENT = ['recipient_email', 'confirmation_from'] as const satisfies (keyof ConfigExitDto)[];

/**
 * A document without what is of one environment: where customers and events go. Applied to production, it sends nothing
 * to the webhooks of staging.
 */
export function withoutEnvironment(whole: ConfigDto): ConfigDto {
  const { settings = {}, flows = [], webhooks: _, ...document } = whole;
  const shared = Object.entries(settings).filter(([field]) => SETTINGS_EVERYWHERE.includes(field));
  return { settings: Object.fromEntries(shared), ...document, flows: flows.map(sharedOf) };
}

/** Whether a document says something of one environment. */
export function namesEnvironment({ settings = {}, flows = [], webhooks }: ConfigDto): boolean {
  const isOne = ({ exit, ...flow }: ConfigFlowDto) =>
    // Without its exit page, a flow has no addresses of it.
    hasAny(flow, FLOW_ENVIRONMENT) || exit === null || (!!exit && hasAny(exit, EXIT_ENVIRONMENT));
  const isOfOne = Object.keys(settings).some((field) => !SETTINGS_EVERYWHERE.includes(field));
  return webhooks !== undefined || isOfOne || flows.some(isOne);
}

function hasAny(thing: object, fields: readonly string[]): boolean {
  return fields.some((field) => (thing as Record<string, unknown>)[field] !== undefined);
}

/** Without an exit page, it says nothing of one: the other environment may have one. */
function sharedOf({ exit, ...flow }: ConfigFlowDto): ConfigFlowDto {
  return {
    ...without(flow, FLOW_ENVIRONMENT),
    ...(exit && { exit: without(exit, EXIT_ENVIRONMENT) }),
  } as ConfigFlowDto;
}

function without(thing: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(thing).filter(([field]) => !fields.includes(field)));
}
