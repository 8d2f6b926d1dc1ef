import { ApiProperty, PickType } from '@nestjs/swagger';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/pagination';
import { FlowListItemDto } from './flow.dto';

/** A flow that names an offer. */
export class OfferFlowDto extends PickType(FlowListItemDto, ['id', 'name', 'status']) {
  @ApiProperty({
    type: 'boolean',
    example: true,
    description: 'Whether its current version names the offer: new sessions may come to it if the flow is `published`.',
  })
  in_current_version: boolean;

  @ApiProperty({ type: 'boolean', example: false, description: 'Whether its draft names the offer.' })
  in_draft: boolean;
}

export class OfferFlowListDto extends PageInfo {
  @ApiProperty({ type: [OfferFlowDto], maxItems: MAX_PAGE })
  flows: OfferFlowDto[];

  static of({ items, next_cursor }: Page<OfferFlowDto>): OfferFlowListDto {
    return { flows: items, next_cursor };
  }
}
