import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembershipsRepository } from './memberships.repository.js';
import { MembershipsService } from './memberships.service.js';
import { Project } from './project.entity.js';
import { ProjectMember } from './project-member.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';
import { ProjectPurgeJob } from './purge/project-purge.job.js';
import { ProjectPurgeRepository } from './purge/project-purge.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([Project, ProjectMember])],
  controllers: [ProjectsController],
  providers: [
    MembershipsRepository,
    MembershipsService,
    ProjectPurgeJob,
    ProjectPurgeRepository,
    ProjectsRepository,
    ProjectsService,
  ],
  exports: [MembershipsService, ProjectsService],
})
export class ProjectsModule {}
