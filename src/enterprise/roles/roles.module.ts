import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomRole } from './custom-role.entity.js';
import { CustomRolesController } from './custom-roles.controller.js';
import { CustomRolesRepository } from './custom-roles.repository.js';
import { CustomRolesService } from './custom-roles.service.js';
import { ProjectRolesController } from './project-roles.controller.js';
import { ProjectRolesRepository } from './project-roles.repository.js';
import { ProjectRolesService } from './project-roles.service.js';
import { RoleApplicationRepository } from './role-application.repository.js';
import { RoleApplicationService } from './role-application.service.js';
import { RoleMapping } from './role-mapping.entity.js';
import { RoleMappingsController } from './role-mappings.controller.js';
import { RoleMappingsRepository } from './role-mappings.repository.js';
import { RoleMappingsService } from './role-mappings.service.js';

/** People's roles in an organization's projects: built-in or custom, assigned manually or by group. */
@Module({
  imports: [TypeOrmModule.forFeature([CustomRole, RoleMapping])],
  controllers: [CustomRolesController, RoleMappingsController, ProjectRolesController],
  providers: [
    CustomRolesRepository,
    CustomRolesService,
    ProjectRolesRepository,
    ProjectRolesService,
    RoleApplicationRepository,
    RoleApplicationService,
    RoleMappingsRepository,
    RoleMappingsService,
  ],
  exports: [RoleApplicationService],
})
export class RolesModule {}
