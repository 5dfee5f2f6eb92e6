import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RoleResolution } from '../../platform/auth/editions/role-resolution.js';
import { SignInPolicy } from '../../platform/auth/editions/sign-in-policy.js';
import { ManagedMembersRepository } from './managed-members.repository.js';
import { ManagedMembersService } from './managed-members.service.js';
import { Organization } from './organization.entity.js';
import { OrganizationAccessRepository } from './organization-access.repository.js';
import { OrganizationAuditLogRow } from './organization-audit-log.entity.js';
import { OrganizationAuditLogService } from './organization-audit-log.service.js';
import { OrganizationAuditLogsRepository } from './organization-audit-logs.repository.js';
import { OrganizationAuditLogsController } from './organization-audit-logs.controller.js';
import { OrganizationMember } from './organization-member.entity.js';
import { OrganizationRolesService } from './organization-roles.service.js';
import { OrganizationSignInService } from './organization-sign-in.service.js';
import { OrganizationWritesService } from './organization-writes.service.js';

/**
 * Permissions on an organization and its projects, and their audit log. Global, because every route guard and every
 * feature of the area injects it.
 */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Organization, OrganizationMember, OrganizationAuditLogRow])],
  controllers: [OrganizationAuditLogsController],
  providers: [
    ManagedMembersRepository,
    ManagedMembersService,
    OrganizationAccessRepository,
    OrganizationAuditLogService,
    OrganizationAuditLogsRepository,
    OrganizationRolesService,
    OrganizationSignInService,
    OrganizationWritesService,
    { provide: RoleResolution, useExisting: OrganizationRolesService },
    { provide: SignInPolicy, useExisting: OrganizationSignInService },
  ],
  exports: [
    ManagedMembersService,
    // Route guards are instantiated in each controller's module and inject this.
    OrganizationAccessRepository,
    OrganizationAuditLogService,
    OrganizationWritesService,
    RoleResolution,
    SignInPolicy,
  ],
})
export class OrganizationAccessModule {}
