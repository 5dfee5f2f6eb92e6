import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { listPage, pageOfAll } from '../../../platform/http/lists/lists.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { OrganizationAccess } from '../../access/organization-access.js';
import { ListedScimGroupListDto } from './listed-scim-group.dto.js';
import { ScimGroupSearchService } from './scim-group-search.service.js';
import type { CountedGroup } from './scim-groups.repository.js';

/** Sorts by name; the id separates equal names. */
const keyOf = ({ displayName, id }: CountedGroup): string => `${displayName.toLowerCase()} ${id}`;

@ApiTags('Provisioning')
@Controller('v2/organizations/:org_id/scim/groups')
export class ListedScimGroupsController {
  constructor(private readonly search: ScimGroupSearchService) {}

  @Get()
  @OrganizationAccess('admin', 'scim')
  @V2Route({
    operationId: 'listScimGroups',
    summary: 'List provisioned groups',
    description:
      'The groups that identity providers have sent, by name. Role mappings use these names. For owners and admins.',
    ok: ListedScimGroupListDto,
  })
  async list(
    @Param('org_id') orgId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<ListedScimGroupListDto> {
    const all = (await this.search.counted(orgId)).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const rows = pageOfAll(all, page, keyOf);
    const present = ({ id, displayName, memberCount, externalId }: CountedGroup) => ({
      object: 'scim_group' as const,
      id,
      display_name: displayName,
      member_count: memberCount,
      external_id: externalId,
    });
    return listPage(request, page, rows, present, (row) => [keyOf(row)]);
  }
}
