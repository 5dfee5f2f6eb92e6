import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import { placeByCreation } from '../../platform/http/list-place.js';
import { listPage } from '../../platform/http/lists.js';
import { PageQuery } from '../../platform/http/page-query.js';
import type { ApiRequest } from '../../platform/http/request.js';
import type { SessionPrincipal } from '../../platform/principal/principal.js';
import { CurrentOrganization, OrganizationAccess, RequiresFeature } from '../access/organization-access.js';
import type { OrganizationContext } from '../access/organization-context.js';
import { LicenceService } from '../licence/licence.service.js';
import { CreateOrganizationDto, OrganizationDto, OrganizationListDto } from './organization.dto.js';
import { presentOrganization } from './organization.presenter.js';
import type { SeenOrganization } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { RegionsService } from './regions.service.js';

@ApiTags('Organizations')
@Controller('v2/organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
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
  @ApiOperation({
    operationId: 'getOrganization',
    summary: 'Get an organization',
    description: 'An organization with its settings and how many people and projects it has.',
  })
  @ApiOkResponse({ type: OrganizationDto })
  async get(
    @Param('org_id') orgId: string,
    @CurrentOrganization() { userId }: OrganizationContext,
  ): Promise<OrganizationDto> {
    return this.present(await this.organizations.get(orgId, userId));
  }

  private present(row: SeenOrganization): OrganizationDto {
    return presentOrganization(row, this.regions, this.licence.status.features);
  }
}
