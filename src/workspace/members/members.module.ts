import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { CollaboratorsController } from './collaborators.controller.js';
import { CollaboratorsRepository } from './collaborators.repository.js';
import { CollaboratorsService } from './collaborators.service.js';
import { InviteLinksService } from './invites/invite-links.service.js';
import { InviteMailsService } from './invites/invite-mails.service.js';
import { InviteRoute } from './invites/invite-route.entity.js';
import { Invite } from './invites/invite.entity.js';
import { InvitesController } from './invites/invites.controller.js';
import { InvitesRepository } from './invites/invites.repository.js';
import { InvitesService } from './invites/invites.service.js';

/** Members of projects, and invites. */
@Module({
  imports: [TypeOrmModule.forFeature([Invite, InviteRoute]), ProjectsModule, RateLimitsModule],
  controllers: [CollaboratorsController, InvitesController],
  providers: [
    CollaboratorsRepository,
    CollaboratorsService,
    InviteLinksService,
    InviteMailsService,
    InvitesRepository,
    InvitesService,
  ],
  exports: [CollaboratorsService, InviteLinksService],
})
export class MembersModule {}
