import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequireProjectAdmin, RequireProjectAdminOrSelf } from '../../platform/auth/access.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CollaboratorDto,
  CollaboratorListDto,
  DeletedCollaboratorDto,
  UpdateCollaboratorDto,
} from './collaborator.dto.js';
import { presentCollaborator } from './collaborator.presenter.js';
import { CollaboratorsService } from './collaborators.service.js';

@ApiTags('Collaborators')
@Controller('v2/projects/:project_id/collaborators')
export class CollaboratorsController {
  constructor(private readonly collaborators: CollaboratorsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:collaborators:read',
    operationId: 'listCollaborators',
    summary: 'List collaborators',
    description: 'The members of the project with their roles, in the order in which they joined.',
    ok: CollaboratorListDto,
  })
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

  @Post(':user_id')
  @V2Route({
    operationId: 'updateCollaborator',
    summary: 'Change the role of a member',
    description:
      'Changes the role of a member from their next request on. The role of the last admin cannot change.',
    ok: CollaboratorDto,
    errors: { 422: 'The person is an admin by their role in the organization.' },
  })
  @RequireProjectAdmin('project_configuration:collaborators:read_write')
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('user_id') userId: string,
    @Body() { role }: UpdateCollaboratorDto,
  ): Promise<CollaboratorDto> {
    return presentCollaborator(await this.collaborators.changeRole(write, userId, role));
  }

  @Delete(':user_id')
  @RequireProjectAdminOrSelf('user_id', 'project_configuration:collaborators:read_write')
  @V2Route({
    operationId: 'deleteCollaborator',
    summary: 'Remove a member',
    description: 'Removes a person from the project. Members of any role can remove themselves.',
    ok: DeletedCollaboratorDto,
    errors: {
      422: 'The person is the only admin of the project, or admin by their role in the organization.',
    },
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('user_id') userId: string,
  ): Promise<DeletedCollaboratorDto> {
    return { object: 'collaborator', id: userId, deleted_at: await this.collaborators.remove(write, userId) };
  }
}
