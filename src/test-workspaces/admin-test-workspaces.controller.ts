import { Controller, Delete } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeletedDto } from '../platform/api/changed.dto';
import { PathId } from '../platform/api/path-id';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { OperatorOnly } from '../tenancy/access/api-key.guard';
import { TestWorkspaces } from './test-workspaces.service';

@ApiTags('Operator')
@OperatorOnly()
@Controller('api/v1/admin/workspaces')
export class AdminTestWorkspacesController {
  constructor(private readonly testWorkspaces: TestWorkspaces) {}

  @Delete(':id')
  @ApiOperation({
    operationId: 'workspaces_delete',
    summary: 'Delete a test workspace',
    description:
      'With everything in it, for good. If a large one takes longer than a request may, send it again until it is not found.',
  })
  @ApiOkResponse({ type: DeletedDto })
  @ApiProblems('not_a_test_workspace')
  async delete(@PathId() id: string): Promise<DeletedDto> {
    await this.testWorkspaces.delete(id);
    return { deleted: true, id };
  }
}
