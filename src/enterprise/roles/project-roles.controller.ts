import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../platform/principal/principal.js';
import {
  CurrentOrganization,
  CurrentOrganizationWrite,
  OrganizationAccess,
} from '../access/organization-access.js';
import type { OrganizationContext } from '../access/organization-context.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import { AssignRoleDto, ProjectMemberDto, ProjectMemberListDto } from './project-role.dto.js';
import { ProjectRolesService } from './project-roles.service.js';
import { presentProjectMember } from './role.presenter.js';

@ApiTags('Custom roles')
@Controller('v2/organizations/:org_id/projects/:project_id/members')
export class ProjectRolesController {
  constructor(private readonly people: ProjectRolesService) {}

  @Get()
  @OrganizationAccess('member', 'organizations')
  @V2Route({
    operationId: 'listOrganizationProjectMembers',
    summary: 'List people of a project',
    description:
      'The members of a project with their roles and the origin of these. For members of the project, and owners and admins of the organization.',
    ok: ProjectMemberListDto,
  })
  async list(
    @CurrentOrganization() organization: OrganizationContext,
    @CurrentPrincipal() session: SessionPrincipal,
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ProjectMemberListDto> {
    const rows = await this.people.page({ organization, session }, projectId, page);
    return listPage(request, page, rows, presentProjectMember, ({ acceptedAt, userId }) => [
      acceptedAt,
      userId,
    ]);
  }

  @Post(':user_id')
  @V2Route({
    operationId: 'assignProjectRole',
    summary: 'Change the role of a project member',
    description:
      'Assigns a built-in or custom role, which group mappings then no longer change. For admins of the project, and owners and admins of the organization.',
    ok: ProjectMemberDto,
    errors: {
      422: 'The person is the only admin of the project, or an admin by their role in the organization.',
    },
  })
  @OrganizationAccess('member', 'custom_roles')
  async assign(
    @CurrentOrganization() organization: OrganizationContext,
    @CurrentPrincipal() session: SessionPrincipal,
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('project_id') projectId: string,
    @Param('user_id') userId: string,
    @Body() { role }: AssignRoleDto,
  ): Promise<ProjectMemberDto> {
    const assignment = { projectId, userId, role };
    return presentProjectMember(await this.people.assign({ organization, session }, write, assignment));
  }
}
