import { Module } from '@nestjs/common';
import { OrganizationAccessModule } from './access/organization-access.module.js';
import { ExportsModule } from './exports/exports.module.js';
import { LicenceModule } from './licence/licence.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { RolesModule } from './roles/roles.module.js';
import { ScimModule } from './scim/scim.module.js';
import { SsoModule } from './sso/sso.module.js';

/** The enterprise edition: organizations, their sign-in, provisioning, permissions and audit logs. */
@Module({
  imports: [
    LicenceModule,
    OrganizationAccessModule,
    RolesModule,
    OrganizationsModule,
    SsoModule,
    ScimModule,
    RetentionModule,
    ExportsModule,
  ],
})
export class EnterpriseAreaModule {}
