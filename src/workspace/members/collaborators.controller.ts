import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { listPage } from '../../platform/http/lists.js';
import { PageQuery } from '../../platform/http/page-query.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { CollaboratorListDto } from './collaborator.dto.js';
import { presentCollaborator } from './collaborator.presenter.js';
import { CollaboratorsService } from './collaborators.service.js';

@ApiTags('Collaborators')
@Controller('v2/projects/:project_id/collaborators')
export class CollaboratorsController {
  constructor(private readonly collaborators: CollaboratorsService) {}

  @Get()
  @RequirePermission('project_configuration:collaborators:read')
  @ApiOperation({
    operationId: 'listCollaborators',
    summary: 'List collaborators',
    description: 'The members of the project with their roles, in the order in which they joined.',
  })
  @ApiOkResponse({ type: CollaboratorListDto })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<CollaboratorListDto> {
    const rows = await this.collaborators.page(projectId, page);
    return listPage(request, page, rows, presentCollaborator, ({ acceptedAt, userId }) => [
      acceptedAt,
      userId,
    ]);
  }
}
