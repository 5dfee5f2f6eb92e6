import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ScimTokens } from '../../platform/auth/issued-tokens/scim-tokens.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { AccountsModule } from '../../workspace/accounts/accounts.module.js';
import { LicenceModule } from '../licence/licence.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { ScimDiscoveryController } from './discovery/discovery.controller.js';
import { ListedScimGroupsController } from './groups/listed-scim-groups.controller.js';
import { ScimGroup } from './groups/scim-group.entity.js';
import { ScimGroupMember } from './groups/scim-group-member.entity.js';
import { ScimGroupMembersRepository } from './groups/scim-group-members.repository.js';
import { ScimGroupMembersService } from './groups/scim-group-members.service.js';
import { ScimGroupSearchService } from './groups/scim-group-search.service.js';
import { ScimGroupsController } from './groups/scim-groups.controller.js';
import { ScimGroupsRepository } from './groups/scim-groups.repository.js';
import { ScimGroupsService } from './groups/scim-groups.service.js';
import { ScimPeopleService } from './people/scim-people.service.js';
import { ScimToken } from './tokens/scim-token.entity.js';
import { ScimTokensController } from './tokens/scim-tokens.controller.js';
import { ScimTokensRepository } from './tokens/scim-tokens.repository.js';
import { ScimTokensService } from './tokens/scim-tokens.service.js';
import { ScimUser } from './users/scim-user.entity.js';
import { ScimUserEmail } from './users/scim-user-email.entity.js';
import { ScimUserSearchService } from './users/scim-user-search.service.js';
import { ScimUsersController } from './users/scim-users.controller.js';
import { ScimUsersRepository } from './users/scim-users.repository.js';
import { ScimUsersService } from './users/scim-users.service.js';

/** Provisioning by identity providers (SCIM 2.0). Global, because the global guard verifies its tokens. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([ScimGroup, ScimGroupMember, ScimToken, ScimUser, ScimUserEmail]),
    AccountsModule,
    LicenceModule,
    RateLimitsModule,
    RolesModule,
  ],
  controllers: [
    ListedScimGroupsController,
    ScimDiscoveryController,
    ScimGroupsController,
    ScimTokensController,
    ScimUsersController,
  ],
  providers: [
    ScimGroupMembersRepository,
    ScimGroupMembersService,
    ScimGroupSearchService,
    ScimGroupsRepository,
    ScimGroupsService,
    ScimPeopleService,
    ScimTokensRepository,
    ScimTokensService,
    ScimUserSearchService,
    ScimUsersRepository,
    ScimUsersService,
    { provide: ScimTokens, useExisting: ScimTokensService },
  ],
  exports: [ScimTokens],
})
export class ScimModule {}
