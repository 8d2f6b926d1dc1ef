import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto } from '../common/changed.dto';
import { PathId } from '../common/ids';
import { PageQuery } from '../common/pagination';
import { ApiProblems } from '../common/problem.dto';
import { CreatedAt } from '../http/created-at';
import { IdempotentRequest } from '../http/idempotent-creation';
import { CurrentActor, LeastRole, WorkspaceId } from './access';
import type { Actor } from './actor';
import { CustomerKeysService } from './customer-keys.service';
import {
  ApiNewCustomerKey,
  CreateCustomerKeyDto,
  CreatedCustomerKeyDto,
  CustomerKeyListDto,
  PATH_OF_CUSTOMER_KEY,
} from './dto/customer-key.dto';

@ApiTags('Customer keys')
@Controller('api/v1/public/customer-keys')
export class CustomerKeysController {
  constructor(private readonly customerKeys: CustomerKeysService) {}

  @Get()
  @LeastRole('viewer')
  @ApiOperation({ summary: 'List the customer keys', description: 'Newest first, without their secrets.' })
  @ApiOkResponse({ type: CustomerKeyListDto })
  async list(@WorkspaceId() workspaceId: string, @Query() page: PageQuery): Promise<CustomerKeyListDto> {
    return CustomerKeyListDto.of(await this.customerKeys.list(workspaceId, page));
  }

  @Post()
  @LeastRole('owner')
  @ApiOperation({
    summary: 'Create a customer key',
    description:
      'Your backend signs customer tokens with it, so that nobody can pretend to be one of your customers. The secret of an ' +
      '`HS256` key is shown only this once. A workspace has at most 10 keys; all of them are good at the same time.',
  })
  @ApiNewCustomerKey()
  @ApiCreatedResponse({ type: CreatedCustomerKeyDto })
  @ApiProblems('customer_key_limit_reached')
  @CreatedAt(PATH_OF_CUSTOMER_KEY)
  create(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @Body() body: CreateCustomerKeyDto,
    @IdempotentRequest() idempotent?: IdempotentRequest,
  ): Promise<CreatedCustomerKeyDto> {
    return this.customerKeys.create(workspaceId, body, actor, idempotent);
  }

  @Delete(':id')
  @LeastRole('owner')
  @ApiOperation({
    summary: 'Delete a customer key',
    description: 'The very next start with a token that it signed is refused. Sessions that have started go on.',
  })
  @ApiOkResponse({ type: DeletedDto })
  async delete(
    @WorkspaceId() workspaceId: string,
    @CurrentActor() actor: Actor,
    @PathId() id: string,
  ): Promise<DeletedDto> {
    await this.customerKeys.delete(workspaceId, id, actor);
    return { deleted: true, id };
  }
}
