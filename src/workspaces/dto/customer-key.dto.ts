import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ChoiceField, Field, FieldOptions, IdField, ObjectField, WordsField } from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { Many, One, Time } from '../../platform/api/fields/shown';
import {
  CUSTOMER_KEY_ALGORITHMS,
  CustomerKey,
  type CustomerKeyAlgorithm,
  type Ed25519PublicKey,
} from '../customer-keys/customer-key.entity';
import { isPublicKey } from '../customer-keys/public-key';

/** Where the workspace deletes a key. */
export const PATH_OF_CUSTOMER_KEY = '/api/v1/public/customer-keys/:id';

const EXAMPLE_PUBLIC_KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;

const PUBLIC_BYTES = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43 } as const;

function PublicBytesField(options: FieldOptions) {
  return Field(
    options,
    PUBLIC_BYTES,
    'must be an Ed25519 public key: 32 bytes in base64url, 43 characters, and a point of large order on the curve',
    (value) =>
      typeof value === 'string' &&
      new RegExp(PUBLIC_BYTES.pattern).test(value) &&
      isPublicKey(Buffer.from(value, 'base64url')),
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
  @WordsField({ description: 'What the key is for.', example: 'Account pages', max: 200 })
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

class CustomerKeyIdDto {
  @IdField({
    description: 'The `kid` in the header of the tokens that it signs.',
    example: '019a9f3c-e2f3-7a14-8b25-3c4d5e6f7081',
  })
  id: string;
}

/** A key without its secret. */
export class CustomerKeyDto extends IntersectionType(
  CustomerKeyIdDto,
  PickType(CreateCustomerKeyDto, ['name', 'algorithm']),
) {
  @One.orNull(PublicKeyDto, 'Of `EdDSA`; null of `HS256`.')
  public_key: Ed25519PublicKey | null;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  static of(key: CustomerKey): CustomerKeyDto {
    return pick(key, ['id', 'name', 'algorithm', 'public_key', 'created_at']);
  }
}

export class CustomerKeyListDto extends PageInfo {
  @Many(CustomerKeyDto, MAX_PAGE)
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
      'With `HS256`: this whole text, prefix included, is the key of HMAC. It is shown only here. null with `EdDSA`.',
  })
  secret: string | null;
}
