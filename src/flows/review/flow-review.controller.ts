import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../platform/api/path-id';
import { LeastRole } from '../../tenancy/access/api-key.guard';
import { CurrentTenant } from '../../tenancy/access/current-tenant';
import type { Tenant } from '../../tenancy/work/tenant';
import { ReviewDto, ReviewQuery } from '../dto/flow-review.dto';
import { FlowReview } from './flow-review.service';

@ApiTags('Flows')
@Controller('api/v1/public/flows/:id/review')
export class FlowReviewController {
  constructor(private readonly reviews: FlowReview) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({
    operationId: 'flows_review',
    summary: 'Review a flow by jurisdiction',
    description:
      'What laws on cancelling may say of the flow, each finding with a source and the day on which it was read. Hints, and no ' +
      'legal advice. With `draft=true`, of the draft: 404 if there is none.',
  })
  @ApiOkResponse({ type: ReviewDto })
  review(@CurrentTenant() tenant: Tenant, @PathId() id: string, @Query() query: ReviewQuery): Promise<ReviewDto> {
    return this.reviews.review(tenant, id, query);
  }
}
