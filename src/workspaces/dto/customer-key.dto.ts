import { ApiProperty, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../common/api-examples';
import { ChoiceField, Field, FieldOptions, ObjectField, TextField } from '../../common/fields';
import { MAX_PAGE, type Page, PageInfo } from '../../common/pagination';
import { filledText, ID, TIMESTAMP } from '../../common/schemas';
import {
  CUSTOMER_KEY_ALGORITHMS,
  CustomerKey,
  type CustomerKeyAlgorithm,
  type Ed25519PublicKey,
} from '../customer-key.entity';

/** Where the workspace deletes a key. */
export const PATH_OF_CUSTOMER_KEY = '/api/v1/public/customer-keys/:id';

const EXAMPLE_ID = '019a9f3c-e2f3-7a14-8b25-3c4d5e6f7081';
const EXAMPLE_PUBLIC_KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;

const PUBLIC_BYTES = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43 } as const;

function PublicBytesField(options: FieldOptions) {
  return Field(
    options,
    PUBLIC_BYTES,
    'must be 32 bytes in base64url: 43 characters',
    (value) => typeof value === 'string' && new RegExp(PUBLIC_BYTES.pattern).test(value),
  );
}

/** An Ed25519 public key as a JSON Web Key (RFC 8037). */
export class PublicKeyDto implements Ed25519PublicKey {
  @ChoiceField({ description: 'The type of the key.', values: ['OKP'] })
  kty: 'OKP';

  @ChoiceField({ description: 'The curve.', values: ['Ed25519'] })
  crv: 'Ed25519';

  @PublicBytesField({ description: 'The key: 32 bytes in base64url.', example: EXAMPLE_PUBLIC_KEY.x })
  x: string;
}

export class CreateCustomerKeyDto {
  @TextField({ description: 'What the key is for.', example: 'Account pages', max: 200 })
  name: string;

  @ChoiceField({
    description:
      '`HS256`: the service makes a secret, which signs and verifies. `EdDSA`: your own Ed25519 key signs, and the service ' +
      'only knows its public key.',
    values: CUSTOMER_KEY_ALGORITHMS,
    example: 'HS256',
  })
  algorithm: CustomerKeyAlgorithm;

  @ObjectField({
    description: 'With `EdDSA`, and only then: the public key as a JWK (RFC 8037), without `d`, which is private.',
    of: () => PublicKeyDto,
    optional: true,
  })
  public_key?: PublicKeyDto;
}

export const ApiNewCustomerKey = () =>
  ApiExamples(CreateCustomerKeyDto, {
    'HS256: a shared secret': { name: 'Account pages', algorithm: 'HS256' },
    'EdDSA: your own key': { name: 'Account pages', algorithm: 'EdDSA', public_key: EXAMPLE_PUBLIC_KEY },
  });

/** A key without its secret. */
export class CustomerKeyDto {
  @ApiProperty({ ...ID, example: EXAMPLE_ID, description: 'The `kid` in the header of the tokens that it signs.' })
  id: string;

  @ApiProperty({ ...filledText(200), example: 'Account pages' })
  name: string;

  @ApiProperty({
    enum: CUSTOMER_KEY_ALGORITHMS,
    example: 'HS256',
    description: 'The `alg` in the header of its tokens.',
  })
  algorithm: CustomerKeyAlgorithm;

  @ApiProperty({ type: PublicKeyDto, nullable: true, description: 'Of `EdDSA`; null of `HS256`.' })
  public_key: Ed25519PublicKey | null;

  @ApiProperty({ ...TIMESTAMP, example: '2026-11-21T09:30:00.000Z' })
  created_at: Date;

  static of({ id, name, algorithm, public_key, created_at }: CustomerKey): CustomerKeyDto {
    return { id, name, algorithm, public_key, created_at };
  }
}

export class CustomerKeyListDto extends PageInfo {
  @ApiProperty({ type: [CustomerKeyDto], maxItems: MAX_PAGE })
  customer_keys: CustomerKeyDto[];

  static of({ items, next_cursor }: Page<CustomerKey>): CustomerKeyListDto {
    return { customer_keys: items.map((key) => CustomerKeyDto.of(key)), next_cursor };
  }
}

export class CreatedCustomerKeyDto extends PickType(CustomerKeyDto, ['id', 'name', 'algorithm']) {
  @ApiProperty({
    type: 'string',
    nullable: true,
    pattern: '^cksec_[A-Za-z0-9_-]{43}$',
    maxLength: 49,
    example: `cksec_${'A'.repeat(43)}`,
    description:
      'Of `HS256`: the key of HMAC is this text as it stands, with its prefix. It is shown only here. null of `EdDSA`.',
  })
  secret: string | null;
}
