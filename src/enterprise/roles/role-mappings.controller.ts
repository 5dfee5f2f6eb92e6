import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { CurrentOrganizationWrite, OrganizationAccess } from '../access/organization-access.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import {
  DeletedRoleMappingDto,
  RoleMappingListDto,
  SavedRoleMappingDto,
  SaveRoleMappingDto,
} from './role-mapping.dto.js';
import { RoleMappingsService } from './role-mappings.service.js';
import { presentRoleMapping } from './role.presenter.js';

@ApiTags('Custom roles')
@Controller('v2/organizations/:org_id/role_mappings')
export class RoleMappingsController {
  constructor(private readonly mappings: RoleMappingsService) {}

  @Get()
  @OrganizationAccess('admin', 'custom_roles')
  @V2Route({
    operationId: 'listRoleMappings',
    summary: 'List group role mappings',
    description: 'Mappings of groups of the identity provider to roles in projects, oldest first.',
    ok: RoleMappingListDto,
  })
  async list(
    @Param('org_id') orgId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<RoleMappingListDto> {
    const rows = await this.mappings.page(orgId, page);
    return listPage(request, page, rows, presentRoleMapping, placeByCreation);
  }

  @Post()
  @HttpCode(200)
  @OrganizationAccess('admin', 'custom_roles')
  @V2Route({
    operationId: 'saveRoleMapping',
    summary: 'Create or replace a group role mapping',
    description:
      'Gives the members of a group a role in a project at once. Replaces a mapping of the same group and project. Manually assigned roles stay; if several mappings apply, the highest role counts.',
  })
  @ApiOkResponse({ type: SavedRoleMappingDto, description: 'A mapping was replaced.' })
  @ApiCreatedResponse({ type: SavedRoleMappingDto, description: 'The mapping is new.' })
  async save(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Body() body: SaveRoleMappingDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SavedRoleMappingDto> {
    const { mapping, isNew, membershipsChanged } = await this.mappings.save(write, body);
    if (isNew) response.status(201);
    return { ...presentRoleMapping(mapping), memberships_changed: membershipsChanged };
  }

  @Delete(':mapping_id')
  @OrganizationAccess('admin', 'custom_roles')
  @V2Route({
    operationId: 'deleteRoleMapping',
    summary: 'Delete a group role mapping',
    description:
      'Removes the memberships that came from the mapping, or lowers them to the roles of other mappings.',
    ok: DeletedRoleMappingDto,
  })
  async delete(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('mapping_id') id: string,
  ): Promise<DeletedRoleMappingDto> {
    return { object: 'role_mapping', id, deleted_at: await this.mappings.delete(write, id) };
  }
}
