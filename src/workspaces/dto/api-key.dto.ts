import { ApiProperty } from '@nestjs/swagger';
import { ChoiceField, TextField, TimestampField } from '../../common/fields';
import { PageInfo } from '../../common/pagination';
import { API_KEY_ACCESS, ApiKey, type ApiKeyAccess } from '../api-key.entity';

export class CreateApiKeyDto {
  @TextField({ description: 'What the key is for.', example: 'Billing integration', max: 200 })
  name: string;

  @ChoiceField({
    description: '`read` may only read; `write` may do everything.',
    values: API_KEY_ACCESS,
    default: 'write',
    optional: true,
  })
  access?: ApiKeyAccess;

  @TimestampField({
    description: 'From when on the key is refused; never if left out.',
    example: '2030-01-01T00:00:00Z',
    optional: true,
  })
  expires_at?: string;
}

export class CreatedApiKeyDto {
  @ApiProperty({ format: 'uuid', example: '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa' })
  id: string;

  @ApiProperty({ example: 'Billing integration' })
  name: string;

  @ApiProperty({ example: 'rf_live_…', description: 'The secret. It is shown only here.' })
  key: string;
}

/** A key without its secret. */
export class ApiKeyDto {
  @ApiProperty({ format: 'uuid', example: '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa' })
  id: string;

  @ApiProperty({ example: 'Billing integration' })
  name: string;

  @ApiProperty({ enum: API_KEY_ACCESS, example: 'write' })
  access: ApiKeyAccess;

  @ApiProperty({ example: 'rf_live_7Gh2', description: 'How the key begins.' })
  prefix: string;

  @ApiProperty({ example: '0aXz', description: 'How it ends.' })
  last_four: string;

  @ApiProperty({ example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: null,
    description: 'Exact to the minute.',
  })
  last_used_at: Date | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  expires_at: Date | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  revoked_at: Date | null;

  static of({
    id,
    name,
    access,
    prefix,
    last_four,
    created_at,
    last_used_at,
    expires_at,
    revoked_at,
  }: ApiKey): ApiKeyDto {
    return { id, name, access, prefix, last_four, created_at, last_used_at, expires_at, revoked_at };
  }
}

export class ApiKeyListDto extends PageInfo {
  @ApiProperty({ type: [ApiKeyDto] })
  api_keys: ApiKeyDto[];
}

export class RevokedDto {
  @ApiProperty({ enum: [true], type: 'boolean' })
  revoked: true;

  @ApiProperty({ format: 'uuid', example: '019a9f3c-6c1f-7a52-8c55-0a7be1d4f2aa' })
  id: string;
}
