import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { AccountsModule } from '../../workspace/accounts/accounts.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { SsoConnection } from './connections/sso-connection.entity.js';
import { SsoConnectionRulesService } from './connections/sso-connection-rules.service.js';
import { SsoConnectionsController } from './connections/sso-connections.controller.js';
import { SsoConnectionsRepository } from './connections/sso-connections.repository.js';
import { SsoConnectionsService } from './connections/sso-connections.service.js';
import { SsoDomain } from './domains/sso-domain.entity.js';
import { SsoDomainsController } from './domains/sso-domains.controller.js';
import { SsoDomainsRepository } from './domains/sso-domains.repository.js';
import { SsoDomainsService } from './domains/sso-domains.service.js';
import { TxtRecordsClient } from './domains/txt-records.client.js';
import { DiscoveryService } from './oidc/discovery.service.js';
import { OidcClient } from './oidc/oidc.client.js';
import { LoginStatesRepository } from './sign-in/login-states.repository.js';
import { LoginStatesService } from './sign-in/login-states.service.js';
import { OidcSignInService } from './sign-in/oidc-sign-in.service.js';
import { SamlSignInService } from './sign-in/saml-sign-in.service.js';
import { SsoController } from './sign-in/sso.controller.js';
import { SsoFlowService } from './sign-in/sso-flow.service.js';
import { SsoLimitsService } from './sign-in/sso-limits.service.js';
import { SsoLoginState } from './sign-in/sso-login-state.entity.js';
import { SsoMetrics } from './sign-in/sso.metrics.js';
import { SsoSeenAssertion } from './sign-in/sso-seen-assertion.entity.js';
import { SsoSignInService } from './sign-in/sso-sign-in.service.js';

/** Sign-in through identity providers. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SsoConnection, SsoDomain, SsoLoginState, SsoSeenAssertion]),
    AccountsModule,
    RateLimitsModule,
    RolesModule,
  ],
  controllers: [SsoController, SsoConnectionsController, SsoDomainsController],
  providers: [
    DiscoveryService,
    LoginStatesRepository,
    LoginStatesService,
    OidcClient,
    OidcSignInService,
    SamlSignInService,
    SsoConnectionRulesService,
    SsoConnectionsRepository,
    SsoConnectionsService,
    SsoDomainsRepository,
    SsoDomainsService,
    SsoFlowService,
    SsoLimitsService,
    SsoMetrics,
    SsoSignInService,
    TxtRecordsClient,
  ],
})
export class SsoModule {}
