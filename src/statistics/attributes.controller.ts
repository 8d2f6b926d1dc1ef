import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { InTurn } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { AttributesService } from './attributes.service';
import { SeenAttributesDto } from './dto/attributes.dto';

@ApiTags('Statistics')
@Controller('api/v1/public/workspace/attributes')
export class AttributesController {
  constructor(private readonly attributes: AttributesService) {}

  @Get()
  @LeastRole('viewer')
  @InTurn()
  @ApiOperation({
    operationId: 'workspace_attributes',
    summary: 'List the attributes of customers',
    description:
      'Which `attributes` the customers of the 1,000 newest sessions have, and which facts were known of them: what a branch can go by.',
  })
  @ApiOkResponse({ type: SeenAttributesDto })
  list(@CurrentTenant() tenant: Tenant): Promise<SeenAttributesDto> {
    return this.attributes.list(tenant);
  }
}
