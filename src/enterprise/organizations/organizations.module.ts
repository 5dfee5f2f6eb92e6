import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RolesModule } from '../roles/roles.module.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationProject } from './organization-project.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { RegionsService } from './regions.service.js';

/** Organizations, their people and projects, and the regions in which these are stored. */
@Module({
  imports: [TypeOrmModule.forFeature([OrganizationProject]), RolesModule],
  controllers: [OrganizationsController],
  providers: [MembersRepository, OrganizationsRepository, OrganizationsService, RegionsService],
})
export class OrganizationsModule {}
