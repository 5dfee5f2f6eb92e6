import { Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../../platform/config/config.js';
import { userType } from '../protocol/resource-type.js';
import { ScimResourcesController } from '../shared/scim-resources.controller.js';
import type { ScimUser } from './scim-user.entity.js';
import { ScimUserSearchService } from './scim-user-search.service.js';
import { ScimUsersService } from './scim-users.service.js';

/** RFC 7644. Described by `/scim/v2/Schemas` instead of OpenAPI. */
@ApiExcludeController()
@Controller('scim/v2/Users')
export class ScimUsersController extends ScimResourcesController<ScimUser> {
  constructor(users: ScimUsersService, search: ScimUserSearchService, config: Config) {
    super(userType, users, search, config);
  }

  protected isTooLarge(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
