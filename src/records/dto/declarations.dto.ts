import { OmitType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import {
  BooleanField,
  ChoiceField,
  EmailField,
  IdField,
  MomentField,
  TextField,
} from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo, PageQuery } from '../../platform/api/paging/pagination';
import { AnyText, Choice, Email, Id, Many, True } from '../../platform/api/fields/shown';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../events/deliveries/delivery.entity';
import type { Declaration } from '../../exit/declaration.entity';
import { DeclarationDto } from '../../exit/dto/declaration.dto';
import { DECLARATION_KINDS, type DeclarationKind } from '../../flows/flow-exit';

export class ListDeclarationsQuery extends PageQuery {
  @IdField({ description: 'Only declarations on the page of this flow.', optional: true })
  flow_id?: string;

  @ChoiceField({ description: 'Only declarations of this kind.', values: DECLARATION_KINDS, optional: true })
  kind?: DeclarationKind;

  @ChoiceField({
    description: '`open`: only what your team has not done yet. `done`: only what it has.',
    values: ['open', 'done'],
    optional: true,
  })
  state?: 'open' | 'done';

  @TextField({
    description:
      'Only declarations with this text in number, name, e-mail address or contract, whatever its case and accents; with spaces, with ' +
      'all its parts.',
    example: '4711',
    max: 200,
    optional: true,
  })
  q?: string;

  @TextField({ description: 'Only the declaration with this number.', max: 20, optional: true })
  number?: string;

  @EmailField({ description: 'Only declarations with this e-mail address, in upper or lower case.', optional: true })
  email?: string;

  @MomentField({ description: 'Only declarations that came at this time or later.', optional: true })
  from?: string;

  @MomentField({ description: 'Only declarations that came before this time.', optional: true })
  to?: string;
}

export class ExportDeclarationsQuery extends OmitType(ListDeclarationsQuery, ['limit', 'cursor']) {}

export class DeclarationListDto extends PageInfo {
  @Many(DeclarationDto, MAX_PAGE)
  declarations: DeclarationDto[];

  static of({ items, next_cursor }: Page<Declaration>): DeclarationListDto {
    return { declarations: items.map((declaration) => DeclarationDto.of(declaration)), next_cursor };
  }
}

/** @property receipt the state of the mail to the customer; null if there is none */
export type KeptDeclaration = Declaration & { receipt: DeliveryStatus | null };

/** A declaration with its evidence. */
export class DeclarationRecordDto extends DeclarationDto {
  @AnyText.orNull(
    10_000,
    'The words of the page; null if it came from a page of your own.',
    'Cancel your contract: Acme Pro\n…\n[Cancel now]',
  )
  shown: string | null;

  @Email.orNull('The address of the team that was told.', 'contracts@acme.example')
  team_email: string | null;

  @Choice.orNull(
    DELIVERY_STATUSES,
    'The mail with the receipt. null: none, because the service has no mail server, or not known any more.',
    'delivered',
  )
  receipt: DeliveryStatus | null;

  static ofRecord(declaration: KeptDeclaration): DeclarationRecordDto {
    const { shown, team_email, receipt } = declaration;
    return { ...DeclarationDto.of(declaration), shown, team_email, receipt };
  }
}

export class ChangeDeclarationDto {
  @BooleanField({ description: 'Whether your team has done what was declared.', example: true })
  done: boolean;
}

export const ApiDeclarationChange = () =>
  ApiExamples(ChangeDeclarationDto, { done: { done: true }, 'not done after all': { done: false } });

export class ErasedDeclarationDto {
  @True()
  erased: true;

  @Id()
  id: string;
}
