import { Module } from '@nestjs/common';
import { RoleApplicationRepository } from './role-application.repository.js';
import { RoleApplicationService } from './role-application.service.js';

/** Roles of people in an organization's projects. */
@Module({
  providers: [RoleApplicationRepository, RoleApplicationService],
  exports: [RoleApplicationService],
})
export class RolesModule {}
