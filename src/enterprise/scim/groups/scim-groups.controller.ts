import { Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../platform/config/config.js';
import { groupType } from '../protocol/resource-type.js';
import { ScimResourcesController } from '../shared/scim-resources.controller.js';
import type { ScimGroup } from './scim-group.entity.js';
import { ScimGroupSearchService } from './scim-group-search.service.js';
import { ScimGroupsService } from './scim-groups.service.js';

/** Answers 204 to a PATCH of a larger group (RFC 7644, 3.5.2), because no client reads megabytes of members. */
const SHOWN_AFTER_PATCH = 1_000;

/** RFC 7644. Described by `/scim/v2/Schemas` instead of OpenAPI. */
@ApiExcludeController()
@Controller('scim/v2/Groups')
export class ScimGroupsController extends ScimResourcesController<ScimGroup> {
  constructor(
    groups: ScimGroupsService,
    private readonly groupSearch: ScimGroupSearchService,
    config: Config,
  ) {
    super(groupType, groups, groupSearch, config);
  }

  protected async isTooLarge(group: ScimGroup): Promise<boolean> {
    return (await this.groupSearch.countMembers(group)) > SHOWN_AFTER_PATCH;
  }
}
