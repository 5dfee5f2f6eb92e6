import { Global, Module } from '@nestjs/common';
import { BuiltInRolesService } from './built-in-roles.service.js';
import { OrganizationDepartures } from './organization-departures.js';
import { RoleResolution } from './role-resolution.js';
import type { ScimTokenPrincipal } from '../../principal/principal.js';
import { ScimTokens } from '../issued-tokens/scim-tokens.js';
import { SignInPolicy } from './sign-in-policy.js';

/** Everyone may sign in with a password. */
class PasswordsForAll extends SignInPolicy {
  readonly offersSso = false;

  requiringOrganization(): Promise<string | null> {
    return Promise.resolve(null);
  }
}

class NoOrganizations extends OrganizationDepartures {
  leaveAll(): Promise<void> {
    return Promise.resolve();
  }
}

class NoScimTokens extends ScimTokens {
  find(): Promise<ScimTokenPrincipal | null> {
    return Promise.resolve(null);
  }
}

/** Open-edition implementations of what the enterprise edition replaces. Exactly one of the two is loaded. */
@Global()
@Module({
  providers: [
    { provide: OrganizationDepartures, useClass: NoOrganizations },
    { provide: RoleResolution, useClass: BuiltInRolesService },
    { provide: ScimTokens, useClass: NoScimTokens },
    { provide: SignInPolicy, useClass: PasswordsForAll },
  ],
  exports: [OrganizationDepartures, RoleResolution, ScimTokens, SignInPolicy],
})
export class OpenEditionModule {}
