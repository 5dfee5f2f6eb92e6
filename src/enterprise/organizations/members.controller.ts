import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import { V2ErrorDto } from '../../platform/http/errors/error.dto.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { listPage } from '../../platform/http/lists/lists.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CurrentOrganization,
  CurrentOrganizationWrite,
  OrganizationAccess,
} from '../access/organization-access.js';
import type { OrganizationContext } from '../access/organization-context.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import {
  AddMemberDto,
  DeletedOrganizationMemberDto,
  OrganizationMemberDto,
  OrganizationMemberListDto,
  UpdateMemberDto,
} from './member.dto.js';
import { presentMember } from './member.presenter.js';
import { MembersService } from './members.service.js';

@ApiTags('Organizations')
@Controller('v2/organizations/:org_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @OrganizationAccess('member', 'organizations')
  @V2Route({
    operationId: 'listOrganizationMembers',
    summary: 'List the members of an organization',
    description: 'The people of the organization, deactivated ones included, oldest first.',
    ok: OrganizationMemberListDto,
  })
  async list(
    @Param('org_id') orgId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<OrganizationMemberListDto> {
    const rows = await this.members.page(orgId, page);
    return listPage(request, page, rows, presentMember, ({ createdAt, userId }) => [createdAt, userId]);
  }

  @Post()
  @OrganizationAccess('admin', 'organizations')
  @V2Route({
    operationId: 'addOrganizationMember',
    summary: 'Add a member to an organization',
    description:
      'Adds a person who has an account, and mails them who did. At most 30 calls an hour for each person. Owners and admins become admins of every project of the organization.',
    created: OrganizationMemberDto,
    errors: { 409: 'The person is a member, or was deactivated.' },
  })
  @ApiTooManyRequestsResponse({ type: V2ErrorDto })
  async add(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @CurrentOrganization() caller: OrganizationContext,
    @Body() body: AddMemberDto,
  ): Promise<OrganizationMemberDto> {
    return presentMember(await this.members.add(write, caller, body));
  }

  @Post(':user_id')
  @V2Route({
    operationId: 'updateOrganizationMember',
    summary: 'Change the role of a member of an organization',
    description:
      'Changes the role and the project access that comes with it. Only owners can add or remove owners; the last owner stays.',
    ok: OrganizationMemberDto,
    errors: { 422: 'The identity provider has deactivated the person.' },
  })
  @OrganizationAccess('admin', 'organizations')
  async update(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @CurrentOrganization() caller: OrganizationContext,
    @Param('user_id') userId: string,
    @Body() { role }: UpdateMemberDto,
  ): Promise<OrganizationMemberDto> {
    return presentMember(await this.members.changeRole(write, caller, userId, role));
  }

  @Delete(':user_id')
  @OrganizationAccess('member', 'organizations', { letsOneself: 'leave' })
  @V2Route({
    operationId: 'deleteOrganizationMember',
    summary: 'Remove a member from an organization',
    description:
      'Removes a person from the organization and all of its projects. Admins can remove members, only owners can remove owners, and everyone can remove themselves, even without the single sign-on that the organization requires.',
    ok: DeletedOrganizationMemberDto,
    errors: { 422: 'The person is the only owner.' },
  })
  async delete(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @CurrentOrganization() caller: OrganizationContext,
    @Param('user_id') userId: string,
  ): Promise<DeletedOrganizationMemberDto> {
    const deletedAtMs = await this.members.remove(write, caller, userId);
    return { object: 'organization_member', id: userId, deleted_at: deletedAtMs };
  }
}
