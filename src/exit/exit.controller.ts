import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { CreatedAt } from '../platform/http/server/created-at';
import { Public } from '../tenancy/access/api-key.guard';
import { ApiDeclaration, DeclaredDto, DeclareDto, DeclareQuery } from './dto/declare.dto';
import { Exit } from './exit';
import { ExitRequest, PathSlug } from './exit-request';

@ApiTags('Runtime')
@Public()
@Controller('api/v1/runtime/exit')
export class ExitController {
  constructor(private readonly exit: Exit) {}

  @Post(':slug')
  @ApiOperation({
    operationId: 'runtime_declare',
    summary: 'Declare that a contract ends',
    description:
      'What the page `/exit/:slug` does, for a page of your own. It counts against no session limit, and works whatever the ' +
      'status of the flow. The customer gets a receipt by mail. The same again within 24 hours is the same declaration. Above ' +
      '20 declarations of an address in an hour, it takes a proof of work.',
  })
  @ApiDeclaration()
  @ApiCreatedResponse({ type: DeclaredDto })
  @ApiProblems('exit_not_found', 'proof_required')
  @CreatedAt(':receipt_url')
  declare(
    @PathSlug() slug: string,
    @ExitRequest() request: ExitRequest,
    @Query() _language: DeclareQuery,
    @Body() body: DeclareDto,
  ): Promise<DeclaredDto> {
    return this.exit.declare(slug, body, request);
  }
}
