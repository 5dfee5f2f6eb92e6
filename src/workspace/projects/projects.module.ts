import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogChangesModule } from '../../catalog/shared/catalog-changes.module.js';
import { AnchorsModule } from '../../platform/anchors/anchors.module.js';
import { MemberRoles } from '../../platform/auth/credential-lookups.js';
import { MemberRolesRepository } from './member-roles.repository.js';
import { MembershipsRepository } from './memberships.repository.js';
import { MembershipsService } from './memberships.service.js';
import { Project } from './project.entity.js';
import { ProjectDeletions } from './project-deletions.service.js';
import { ProjectMember } from './project-member.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';
import { ProjectPurgeJob } from './purge/project-purge.job.js';
import { ProjectPurgeRepository } from './purge/project-purge.repository.js';

/** Global, because the role resolution of the open edition injects `MemberRoles`. */
@Global()
@Module({
  imports: [AnchorsModule, CatalogChangesModule, TypeOrmModule.forFeature([Project, ProjectMember])],
  controllers: [ProjectsController],
  providers: [
    MembershipsRepository,
    MembershipsService,
    ProjectDeletions,
    ProjectPurgeJob,
    ProjectPurgeRepository,
    ProjectsRepository,
    ProjectsService,
    { provide: MemberRoles, useClass: MemberRolesRepository },
  ],
  exports: [MemberRoles, MembershipsService, ProjectDeletions, ProjectsService],
})
export class ProjectsModule {}
