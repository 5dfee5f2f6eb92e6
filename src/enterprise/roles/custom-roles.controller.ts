import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { CurrentOrganizationWrite, OrganizationAccess } from '../access/organization-access.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import {
  CreateCustomRoleDto,
  CustomRoleDto,
  CustomRoleListDto,
  DeletedCustomRoleDto,
  ScopeCatalogueDto,
  UpdateCustomRoleDto,
} from './custom-role.dto.js';
import { CustomRolesService } from './custom-roles.service.js';
import { presentCustomRole } from './role.presenter.js';
import { scopeGroups } from './scope-catalogue.js';

@ApiTags('Custom roles')
@Controller('v2/organizations/:org_id')
export class CustomRolesController {
  constructor(private readonly roles: CustomRolesService) {}

  @Get('scopes')
  @OrganizationAccess('member', 'custom_roles')
  @V2Route({
    operationId: 'listScopes',
    summary: 'List the scopes of custom roles',
    description:
      'Every scope that a custom role can have, by group. Creating keys, inviting people and changing roles stay with admins.',
    ok: ScopeCatalogueDto,
  })
  scopes(): ScopeCatalogueDto {
    return { object: 'scope_catalogue', groups: [...scopeGroups] };
  }

  @Get('roles')
  @OrganizationAccess('member', 'custom_roles')
  @V2Route({
    operationId: 'listCustomRoles',
    summary: 'List custom roles',
    description: 'The custom roles of the organization, oldest first.',
    ok: CustomRoleListDto,
  })
  async list(
    @Param('org_id') orgId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<CustomRoleListDto> {
    const rows = await this.roles.page(orgId, page);
    return listPage(request, page, rows, presentCustomRole, placeByCreation);
  }

  @Post('roles')
  @OrganizationAccess('admin', 'custom_roles')
  @V2Route({
    operationId: 'createCustomRole',
    summary: 'Create a custom role',
    description: 'Creates a role with chosen scopes, which members receive manually or by group.',
    created: CustomRoleDto,
    errors: { 409: 'The name is in use.' },
  })
  async create(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Body() body: CreateCustomRoleDto,
  ): Promise<CustomRoleDto> {
    return presentCustomRole(await this.roles.create(write, body));
  }

  @Get('roles/:role_id')
  @OrganizationAccess('member', 'custom_roles')
  @V2Route({
    operationId: 'getCustomRole',
    summary: 'Get a custom role',
    description: 'A custom role with its scopes and the number of people who hold it.',
    ok: CustomRoleDto,
  })
  async get(@Param('org_id') orgId: string, @Param('role_id') id: string): Promise<CustomRoleDto> {
    return presentCustomRole(await this.roles.get(orgId, id));
  }

  @Post('roles/:role_id')
  @V2Route({
    operationId: 'updateCustomRole',
    summary: 'Change a custom role',
    description:
      'Changes the fields that are sent. Members with the role have the new scopes from their next request on.',
    ok: CustomRoleDto,
    errors: { 409: 'The name is in use.' },
  })
  @OrganizationAccess('admin', 'custom_roles')
  async update(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('role_id') id: string,
    @Body() body: UpdateCustomRoleDto,
  ): Promise<CustomRoleDto> {
    return presentCustomRole(await this.roles.update(write, id, body));
  }

  @Delete('roles/:role_id')
  @OrganizationAccess('admin', 'custom_roles')
  @V2Route({
    operationId: 'deleteCustomRole',
    summary: 'Delete a custom role',
    description: 'Members with the role become viewers. Its group mappings are deleted.',
    ok: DeletedCustomRoleDto,
  })
  async delete(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('role_id') id: string,
  ): Promise<DeletedCustomRoleDto> {
    return { object: 'custom_role', id, deleted_at: await this.roles.delete(write, id) };
  }
}
