import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationDepartures } from '../../platform/auth/editions/organization-departures.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { RolesModule } from '../roles/roles.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { OrganizationChangesService } from './organization-changes.service.js';
import { OrganizationDeparturesService } from './organization-departures.service.js';
import { OrganizationProjectsController } from './organization-projects.controller.js';
import { OrganizationProjectsRepository } from './organization-projects.repository.js';
import { OrganizationProjectsService } from './organization-projects.service.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationProject } from './organization-project.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { RegionsService } from './regions.service.js';

/**
 * Organizations, their people and projects, and the regions that store them. Global, because account deletion injects
 * what this module exports.
 */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([OrganizationProject]), RateLimitsModule, RolesModule],
  controllers: [OrganizationsController, MembersController, OrganizationProjectsController],
  providers: [
    MembersRepository,
    MembersService,
    OrganizationChangesService,
    OrganizationDeparturesService,
    OrganizationProjectsRepository,
    OrganizationProjectsService,
    OrganizationsRepository,
    OrganizationsService,
    RegionsService,
    { provide: OrganizationDepartures, useExisting: OrganizationDeparturesService },
  ],
  exports: [OrganizationDepartures],
})
export class OrganizationsModule {}
