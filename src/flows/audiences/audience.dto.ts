import { ApiExtraModels, ApiProperty, PartialType } from '@nestjs/swagger';
import { WordsField } from '../../platform/api/fields/fields';
import { OwnKeyField } from '../../platform/api/fields/own-key-field';
import { oneOf } from '../../platform/api/fields/schemas';
import { Id, Many, OwnKey, Text, Time } from '../../platform/api/fields/shown';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { type Page, PageInfo } from '../../platform/api/paging/pagination';
import { AllGroup, AnyGroup, type ConditionGroup, WhenField } from '../../conditions/condition.dto';
import { MAX_AUDIENCES } from '../graph/graph-limits';
import type { Audience } from './audience.entity';

@ApiExtraModels(AllGroup, AnyGroup)
export class CreateAudienceDto {
  @OwnKeyField({
    description: 'What configuration documents call the audience, the same in every workspace. It can be set once.',
    example: 'loyal',
    optional: true,
  })
  key?: string;

  @WordsField({ description: 'What your team calls it.', example: 'Loyal customers', max: 200 })
  name: string;

  @WhenField(
    'Who is in it: `all` or `any` of these conditions hold, of those that branches know. An `answer` is checked where a flow uses the ' +
      'audience. It can’t name another audience.',
  )
  when: ConditionGroup;
}

export class UpdateAudienceDto extends PartialType(CreateAudienceDto, { skipNullProperties: false }) {}

export class CreatedAudienceDto {
  @Id.like('019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b')
  id: string;

  @Text.like(200, 'Loyal customers')
  name: string;
}

export class AudienceDto extends CreatedAudienceDto {
  @OwnKey.orNull('null: none was chosen.', 'loyal')
  key: string | null;

  @ApiProperty({
    ...oneOf([AllGroup, AnyGroup]),
    description: 'Who is in it, as it is now. A version of a flow holds what it was when the version was published.',
  })
  when: ConditionGroup;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  @Time.like('2026-11-21T09:30:00.000Z')
  updated_at: Date;

  static of({ id, name, key, when, created_at, updated_at }: Audience): AudienceDto {
    return { id, name, key, when, created_at, updated_at };
  }
}

export class AudienceListDto extends PageInfo {
  @Many(AudienceDto, MAX_AUDIENCES)
  audiences: AudienceDto[];

  static of({ items, next_cursor }: Page<Audience>): AudienceListDto {
    return { audiences: items.map((audience) => AudienceDto.of(audience)), next_cursor };
  }
}

const LOYAL: ConditionGroup = { all: [{ fact: 'months', is: '>=', value: 12 }] };

export const ApiNewAudience = () =>
  ApiExamples(CreateAudienceDto, { 'by a fact': { name: 'Loyal customers', when: LOYAL } });

export const ApiAudienceChanges = () =>
  ApiExamples(UpdateAudienceDto, { rename: { name: 'Loyal for a year' }, 'other conditions': { when: LOYAL } });
