import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite, requestChange } from '../../platform/audit/project-write.js';
import { RequireProjectAdmin, RequireSession } from '../../platform/auth/access.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import type {
  OauthTokenPrincipal,
  SecretKeyPrincipal,
  SessionPrincipal,
} from '../../platform/principal/principal.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CreateProjectDto,
  DeletedProjectDto,
  ProjectDto,
  ProjectListDto,
  ProjectSettingsDto,
  UpdateProjectDto,
} from './project.dto.js';
import { presentProject, presentProjectSettings } from './project.presenter.js';
import { MembershipsService } from './memberships.service.js';
import { ProjectsService } from './projects.service.js';
import { readTaxRates } from './tax-rates.policy.js';

@ApiTags('Projects')
@Controller('v2/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly memberships: MembershipsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:projects:read',
    operationId: 'listProjects',
    summary: 'List projects',
    description:
      'The project of a secret key or an OAuth client, or every project of the signed-in person, oldest first.',
    ok: ProjectListDto,
  })
  async list(
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
    @CurrentPrincipal() principal: OauthTokenPrincipal | SecretKeyPrincipal | SessionPrincipal,
  ): Promise<ProjectListDto> {
    if (principal.kind !== 'session') {
      const rows = await this.projects.pageOfKey(principal.projectId, page);
      return listPage(request, page, rows, presentProject, placeByCreation);
    }
    const rows = await this.projects.pageOfMember(principal.userId, page);
    const list = listPage(request, page, rows, presentProject, placeByCreation);
    const open = new Set((await this.memberships.withAccess(principal.userId, rows)).map(({ id }) => id));
    return { ...list, items: list.items.filter(({ id }) => open.has(id)) };
  }

  @Post()
  @V2Route({
    operationId: 'createProject',
    summary: 'Create a project',
    description: 'Creates a project. The caller becomes its admin.',
    ok: ProjectDto,
  })
  @RequireSession('project_configuration:projects:read_write')
  async create(
    @Req() request: ApiRequest,
    @CurrentPrincipal() principal: SessionPrincipal,
    @Body() body: CreateProjectDto,
  ): Promise<ProjectDto> {
    const by = requestChange(request);
    const project = await this.projects.createOwned({ name: body.name, ownerUserId: principal.userId, by });
    return presentProject(project);
  }

  @Get(':project_id')
  @V2Route({
    permission: 'project_configuration:projects:read',
    operationId: 'getProject',
    summary: 'Get a project',
    description:
      'A project with its settings, such as which customer keeps a purchase that is restored under another app user id.',
    ok: ProjectSettingsDto,
  })
  async get(@Param('project_id') projectId: string): Promise<ProjectSettingsDto> {
    return presentProjectSettings(await this.projects.get(projectId));
  }

  @Post(':project_id')
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'updateProject',
    summary: 'Change a project',
    description:
      'Changes the name and settings of a project. Fields that are not in the body stay as they are.',
    ok: ProjectSettingsDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: UpdateProjectDto,
  ): Promise<ProjectSettingsDto> {
    const project = await this.projects.update(write, {
      name: body.name,
      transferBehavior: body.transfer_behavior,
      sandboxTransferBehavior: body.sandbox_transfer_behavior,
      weekStartsOn: body.week_starts_on,
      chartAttributes: body.chart_attributes,
      experimentHoldoutPercentage: body.experiment_holdout_percentage,
      outsidePurchaseTaxRates:
        body.outside_purchase_tax_rates && readTaxRates(body.outside_purchase_tax_rates),
      sdkEvents: body.sdk_events,
    });
    return presentProjectSettings(project);
  }

  @Delete(':project_id')
  @RequireProjectAdmin('project_configuration:projects:read_write')
  @V2Route({
    operationId: 'deleteProject',
    summary: 'Delete a project',
    description:
      'Deletes a project with everything in it. Its keys stop working at once. This cannot be undone.',
    ok: DeletedProjectDto,
  })
  async delete(@CurrentWrite() write: ProjectWrite): Promise<DeletedProjectDto> {
    return { object: 'project', id: write.projectId, deleted_at: await this.projects.delete(write) };
  }
}
