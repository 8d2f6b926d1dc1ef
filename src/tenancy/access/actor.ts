import { Choice, Id, Text } from '../../platform/api/fields/shown';

export const ACTOR_TYPES = ['person', 'api_key', 'operator', 'service'] as const;

/** Who made a change, with the name that they had then. */
export class Actor {
  @Choice(ACTOR_TYPES, 'What made the change: a person, an API key, the operator or the service itself.', 'api_key')
  type: (typeof ACTOR_TYPES)[number];

  @Id.orNull('Of the person or the key; null for the operator and the service.', '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa')
  id: string | null;

  @Text(200, 'The name at that time.', 'Billing integration')
  name: string;
}

export const THE_OPERATOR: Actor = { type: 'operator', id: null, name: 'Operator' };
export const THE_SERVICE: Actor = { type: 'service', id: null, name: 'Service' };
