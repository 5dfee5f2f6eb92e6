import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
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
import {
  AddOrganizationProjectDto,
  DeletedOrganizationProjectDto,
  OrganizationProjectDto,
  OrganizationProjectListDto,
  presentOrganizationProject,
  SetProjectRegionDto,
} from './organization-project.dto.js';
import { OrganizationProjectsService } from './organization-projects.service.js';

@ApiTags('Organizations')
@Controller('v2/organizations/:org_id/projects')
export class OrganizationProjectsController {
  constructor(private readonly projects: OrganizationProjectsService) {}

  @Get()
  @OrganizationAccess('member', 'organizations')
  @V2Route({
    operationId: 'listOrganizationProjects',
    summary: 'List the projects of an organization',
    description: 'The projects of the organization with their regions and your role, as they were moved in.',
    ok: OrganizationProjectListDto,
  })
  async list(
    @CurrentOrganization() { orgId, userId }: OrganizationContext,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<OrganizationProjectListDto> {
    const rows = await this.projects.page(orgId, userId, page);
    return listPage(request, page, rows, presentOrganizationProject, ({ addedAt, projectId }) => [
      addedAt,
      projectId,
    ]);
  }

  @Post()
  @OrganizationAccess('admin', 'organizations')
  @V2Route({
    operationId: 'addOrganizationProject',
    summary: 'Move a project into an organization',
    description:
      'Moves a project of which you are an admin. Everyone on it becomes a member of the organization, and the owners and admins of the organization become its admins. Its data does not move.',
    created: OrganizationProjectDto,
    errors: { 409: 'The project belongs to an organization.' },
  })
  async add(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @CurrentPrincipal() caller: SessionPrincipal,
    @Body() { project_id: projectId }: AddOrganizationProjectDto,
  ): Promise<OrganizationProjectDto> {
    return presentOrganizationProject(await this.projects.add(write, caller, projectId));
  }

  @Delete(':project_id')
  @OrganizationAccess('admin', 'organizations')
  @V2Route({
    operationId: 'deleteOrganizationProject',
    summary: 'Move a project out of an organization',
    description:
      'Removes a project from the organization. Its members keep their roles; those with a custom role become viewers.',
    ok: DeletedOrganizationProjectDto,
  })
  async delete(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @CurrentOrganization() { userId }: OrganizationContext,
    @Param('project_id') projectId: string,
  ): Promise<DeletedOrganizationProjectDto> {
    const deletedAtMs = await this.projects.remove(write, userId, projectId);
    return { object: 'organization_project', id: projectId, deleted_at: deletedAtMs };
  }

  @Post(':project_id/region')
  @V2Route({
    operationId: 'setOrganizationProjectRegion',
    summary: 'Set the region of a project',
    description:
      'Records the region in which the data of a project is stored. Where regions are enforced it cannot be changed.',
    ok: OrganizationProjectDto,
    errors: { 422: 'Regions are enforced on this server.' },
  })
  @OrganizationAccess('admin', 'data_location')
  async setRegion(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @CurrentOrganization() { userId }: OrganizationContext,
    @Param('project_id') projectId: string,
    @Body() { region }: SetProjectRegionDto,
  ): Promise<OrganizationProjectDto> {
    return presentOrganizationProject(await this.projects.setRegion(write, userId, projectId, region));
  }
}
