import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../platform/principal/principal.js';
import {
  CurrentOrganization,
  CurrentOrganizationWrite,
  OrganizationAccess,
  RequiresFeature,
} from '../access/organization-access.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import type { OrganizationContext } from '../access/organization-context.js';
import { LicenceService } from '../licence/licence.service.js';
import {
  CreateOrganizationDto,
  DeletedOrganizationDto,
  OrganizationDto,
  OrganizationListDto,
  OrganizationOverviewDto,
  UpdateOrganizationDto,
} from './organization.dto.js';
import { presentOrganization, presentOverview } from './organization.presenter.js';
import type { SeenOrganization } from './organizations.repository.js';
import { OrganizationChangesService } from './organization-changes.service.js';
import { featuresOfUpdate, roleOfUpdate } from './organization-update.policy.js';
import { OrganizationsService } from './organizations.service.js';
import { RegionsService } from './regions.service.js';

@ApiTags('Organizations')
@Controller('v2/organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly changes: OrganizationChangesService,
    private readonly regions: RegionsService,
    private readonly licence: LicenceService,
  ) {}

  @Get()
  @RequiresFeature('organizations')
  @ApiOperation({
    operationId: 'listOrganizations',
    summary: 'List your organizations',
    description: 'The organizations in which you are an active member, oldest first.',
  })
  @ApiOkResponse({ type: OrganizationListDto })
  async list(
    @CurrentPrincipal() { userId }: SessionPrincipal,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<OrganizationListDto> {
    const rows = await this.organizations.page(userId, page);
    return listPage(request, page, rows, (row) => this.present(row), placeByCreation);
  }

  @Post()
  @RequiresFeature('organizations')
  @ApiOperation({
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description: 'Creates an organization without projects. You become its owner.',
  })
  @ApiCreatedResponse({ type: OrganizationDto })
  async create(
    @CurrentPrincipal() { userId, email }: SessionPrincipal,
    @Body() body: CreateOrganizationDto,
    @Req() { id: requestId, idempotencyClaim }: ApiRequest,
  ): Promise<OrganizationDto> {
    const by = { actor: { type: 'user' as const, id: userId, email }, requestId, idempotencyClaim };
    return this.present(await this.organizations.create(by, userId, body));
  }

  @Get(':org_id')
  @OrganizationAccess('member', 'organizations')
  @V2Route({
    operationId: 'getOrganization',
    summary: 'Get an organization',
    description: 'An organization with its settings and how many people and projects it has.',
    ok: OrganizationDto,
  })
  async get(
    @Param('org_id') orgId: string,
    @CurrentOrganization() { userId }: OrganizationContext,
  ): Promise<OrganizationDto> {
    return this.present(await this.organizations.get(orgId, userId));
  }

  @Post(':org_id')
  @V2Route({
    operationId: 'updateOrganization',
    summary: 'Change an organization',
    description:
      'Changes the fields that are sent. `audit_retention_days`, `seats` and `billing_email` are for owners; `region` needs the feature `data_location`, `audit_retention_days` needs `audit_retention`, and `sso_enforced` needs `sso`.',
    ok: OrganizationDto,
    errors: { 422: 'Single sign-on needs an enabled connection and a verified domain.' },
  })
  @OrganizationAccess('admin', 'organizations', { features: featuresOfUpdate, roleFor: roleOfUpdate })
  async update(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @CurrentOrganization() caller: OrganizationContext,
    @Body() body: UpdateOrganizationDto,
  ): Promise<OrganizationDto> {
    return this.present(await this.changes.update(write, caller, body));
  }

  @Delete(':org_id')
  @OrganizationAccess('owner', 'organizations')
  @V2Route({
    operationId: 'deleteOrganization',
    summary: 'Delete an organization',
    description:
      'Deletes an organization without projects, with its connections, domains, provisioning, custom roles, mappings and audit log. The accounts of its people stay. This cannot be undone.',
    ok: DeletedOrganizationDto,
    errors: { 422: 'The organization still has projects.' },
  })
  async delete(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @CurrentOrganization() caller: OrganizationContext,
  ): Promise<DeletedOrganizationDto> {
    const deletedAtMs = await this.changes.delete(write, caller);
    return { object: 'organization', id: write.orgId, deleted_at: deletedAtMs };
  }

  @Get(':org_id/overview')
  @OrganizationAccess('member', 'organizations')
  @V2Route({
    operationId: 'getOrganizationOverview',
    summary: 'Get an organization with its numbers',
    description:
      'The organization with the number of its connections, domains, provisioned people and roles.',
    ok: OrganizationOverviewDto,
  })
  async overview(
    @CurrentOrganization() { orgId, userId }: OrganizationContext,
  ): Promise<OrganizationOverviewDto> {
    const [organization, counts] = await Promise.all([
      this.organizations.get(orgId, userId),
      this.organizations.counts(orgId),
    ]);
    return presentOverview(this.present(organization), counts);
  }

  private present(row: SeenOrganization): OrganizationDto {
    return presentOrganization(row, this.regions, this.licence.status.features);
  }
}
