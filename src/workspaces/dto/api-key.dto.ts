import { ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField, IdField, WordsField, TimestampField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { Many, Time } from '../../platform/api/fields/shown';
import { API_KEY_ACCESS, ApiKey, type ApiKeyAccess } from '../api-keys/api-key.entity';

/** Where the workspace revokes a key. There is nothing to read, because the secret is shown only once. */
export const PATH_OF_API_KEY = '/api/v1/public/api-keys/:id';

/** A key without its secret. */
export class ApiKeyDto {
  @IdField({ description: 'The id of the key.', example: '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa' })
  id: string;

  @WordsField({ description: 'What the key is for.', example: 'Billing integration', max: 200 })
  name: string;

  @ChoiceField({
    description: '`read` may only read; `write` may do everything.',
    values: API_KEY_ACCESS,
    default: 'write',
  })
  access: ApiKeyAccess;

  @ApiProperty({
    type: 'string',
    pattern: '^rf_(live|test)_[0-9A-Za-z]{4}$',
    maxLength: 12,
    example: 'rf_live_7Gh2',
    description: 'The first characters of the secret.',
  })
  prefix: string;

  @ApiProperty({
    type: 'string',
    pattern: '^[0-9A-Za-z]{4}$',
    maxLength: 4,
    example: '0aXz',
    description: 'The last characters of the secret.',
  })
  last_four: string;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  @Time.orNull('To the minute; null if never.', null)
  last_used_at: Date | null;

  @Time.orNull('When the key expires; null if never.', null)
  expires_at: Date | null;

  @Time.orNull('When the key was revoked; null if it was not.', null)
  revoked_at: Date | null;

  static of(key: ApiKey): ApiKeyDto {
    return pick(key, [
      'id',
      'name',
      'access',
      'prefix',
      'last_four',
      'created_at',
      'last_used_at',
      'expires_at',
      'revoked_at',
    ]);
  }
}

export class ApiKeyListDto extends PageInfo {
  @Many(ApiKeyDto, MAX_PAGE)
  api_keys: ApiKeyDto[];

  static of({ items, next_cursor }: Page<ApiKey>): ApiKeyListDto {
    return { api_keys: items.map((key) => ApiKeyDto.of(key)), next_cursor };
  }
}

export class CreateApiKeyDto extends IntersectionType(
  PickType(ApiKeyDto, ['name']),
  PartialType(PickType(ApiKeyDto, ['access']), { skipNullProperties: false }),
) {
  @TimestampField({
    description: 'When the key expires. Without it, never.',
    example: '2030-01-01T00:00:00Z',
    optional: true,
  })
  expires_at?: string;
}

export const ApiNewApiKey = () =>
  ApiExamples(CreateApiKeyDto, {
    'read and write': { name: 'Billing integration' },
    'read only, until a date': { name: 'Dashboard', access: 'read', expires_at: '2099-12-31T00:00:00Z' },
  });

export class CreatedApiKeyDto extends PickType(ApiKeyDto, ['id', 'name']) {
  @ApiProperty({
    type: 'string',
    pattern: '^rf_(live|test)_[0-9A-Za-z]{49}$',
    maxLength: 57,
    example: `rf_live_${'0'.repeat(49)}`,
    description: 'The secret. It is shown only here. Keys of test workspaces begin with `rf_test_`.',
  })
  key: string;
}
