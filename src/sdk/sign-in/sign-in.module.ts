import { Module } from '@nestjs/common';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { AuthProvidersModule } from '../auth-providers/auth-providers.module.js';
import { CustomerSessionsModule } from '../customer-sessions/customer-sessions.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { KeySetController } from './key-set.controller.js';
import { LoginService } from './login.service.js';
import { LoginV1Controller } from './login.v1.controller.js';
import { SessionTokensService } from './session-tokens.service.js';
import { SessionTokensV1Controller } from './session-tokens.v1.controller.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { SignedInCustomersService } from './signed-in-customers.service.js';
import { TokenSetsService } from './token-sets.service.js';

@Module({
  imports: [AuthProvidersModule, CustomerSessionsModule, CustomersModule, IdentityModule, RateLimitsModule],
  controllers: [LoginV1Controller, SessionTokensV1Controller, KeySetController],
  providers: [
    LoginService,
    SessionTokensService,
    SignedInCustomersService,
    SignInLimitsService,
    TokenSetsService,
  ],
})
export class SignInModule {}
