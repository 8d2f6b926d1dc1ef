import { Flag, Many } from '../../platform/api/fields/shown';
import { PickType } from '@nestjs/swagger';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { FlowListItemDto } from './flow.dto';

/** A flow that names an offer. */
export class OfferFlowDto extends PickType(FlowListItemDto, ['id', 'name', 'status']) {
  @Flag('Whether its current version names the offer: new sessions may come to it if the flow is `published`.', true)
  in_current_version: boolean;

  @Flag('Whether its draft names the offer.', false)
  in_draft: boolean;
}

export class OfferFlowListDto extends PageInfo {
  @Many(OfferFlowDto, MAX_PAGE)
  flows: OfferFlowDto[];

  static of({ items, next_cursor }: Page<OfferFlowDto>): OfferFlowListDto {
    return { flows: items, next_cursor };
  }
}
