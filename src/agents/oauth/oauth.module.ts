import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DashboardFilesModule } from '../../dashboard/pages/dashboard-files.module.js';
import { OauthTokens } from '../../platform/auth/issued-tokens/oauth-tokens.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { RefreshTokensModule } from '../../platform/refresh-tokens/refresh-tokens.module.js';
import { ConnectedClients } from '../../workspace/accounts/connected-clients.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { AuthorizationController } from './authorization/authorization.controller.js';
import { AuthorizationRequestsService } from './authorization/authorization-requests.service.js';
import { ConsentFlowService } from './authorization/consent-flow.service.js';
import { ConsentSealsService } from './authorization/consent-seals.service.js';
import { ConsentsService } from './authorization/consents.service.js';
import { OauthPagesService } from './authorization/oauth-pages.service.js';
import { ClientDocumentsClient } from './clients/client-documents.client.js';
import { ClientRegistrationController } from './clients/client-registration.controller.js';
import { ClientsRepository } from './clients/clients.repository.js';
import { ClientsService } from './clients/clients.service.js';
import { OauthClient } from './clients/oauth-client.entity.js';
import { GrantsController } from './grants/grants.controller.js';
import { GrantsRepository } from './grants/grants.repository.js';
import { GrantsService } from './grants/grants.service.js';
import { OauthGrantRoute } from './grants/oauth-grant-route.entity.js';
import { OauthGrant } from './grants/oauth-grant.entity.js';
import { RepeatedAccessToken } from './grants/repeated-access-token.entity.js';
import { ReplacedOauthToken } from './grants/replaced-oauth-token.entity.js';
import { MetadataController } from './metadata/metadata.controller.js';
import { OtherPathsController } from './metadata/other-paths.controller.js';
import { OauthIssuerService } from './oauth-issuer.service.js';
import { OauthLimitsService } from './oauth-limits.service.js';
import { AccessTokensService } from './tokens/access-tokens.service.js';
import { TokenController } from './tokens/token.controller.js';
import { TokensService } from './tokens/tokens.service.js';

/** Global, because the access guard injects `OauthTokens` and the accounts inject `ConnectedClients`. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([
      OauthClient,
      OauthGrant,
      OauthGrantRoute,
      RepeatedAccessToken,
      ReplacedOauthToken,
    ]),
    DashboardFilesModule,
    ProjectsModule,
    RateLimitsModule,
    RefreshTokensModule,
  ],
  controllers: [
    AuthorizationController,
    ClientRegistrationController,
    GrantsController,
    MetadataController,
    OtherPathsController,
    TokenController,
  ],
  providers: [
    AccessTokensService,
    { provide: OauthTokens, useExisting: AccessTokensService },
    AuthorizationRequestsService,
    ClientDocumentsClient,
    ClientsRepository,
    ClientsService,
    ConsentFlowService,
    ConsentSealsService,
    ConsentsService,
    GrantsRepository,
    GrantsService,
    { provide: ConnectedClients, useExisting: GrantsService },
    OauthIssuerService,
    OauthLimitsService,
    OauthPagesService,
    TokensService,
  ],
  exports: [ConnectedClients, OauthIssuerService, OauthTokens],
})
export class OauthModule {}
