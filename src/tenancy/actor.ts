import { ApiProperty } from '@nestjs/swagger';
import { filledText, ID } from '../platform/api/schemas';

export const ACTOR_TYPES = ['person', 'api_key', 'operator', 'service'] as const;

/** Who made a change, with the name that they had then. */
export class Actor {
  @ApiProperty({
    enum: ACTOR_TYPES,
    example: 'api_key',
    description: 'What made the change: a person, an API key, the operator or the service itself.',
  })
  type: (typeof ACTOR_TYPES)[number];

  @ApiProperty({
    ...ID,
    nullable: true,
    example: '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa',
    description: 'Of the person or the key; null for the operator and the service.',
  })
  id: string | null;

  @ApiProperty({ ...filledText(200), example: 'Billing integration', description: 'The name at that time.' })
  name: string;
}

export const THE_OPERATOR: Actor = { type: 'operator', id: null, name: 'Operator' };
export const THE_SERVICE: Actor = { type: 'service', id: null, name: 'Service' };
