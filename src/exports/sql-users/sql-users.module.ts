import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { ReportRowsModule } from '../report-rows/report-rows.module.js';
import { SqlRolesRepository } from './sql-roles.repository.js';
import { SqlSessionsJob } from './sql-sessions.job.js';
import { SqlSessionsService } from './sql-sessions.service.js';
import { SqlRoleDrop, SqlSessionEnd, SqlUser } from './sql-user.entity.js';
import { SqlUsersController } from './sql-users.controller.js';
import { SqlUsersMetrics } from './sql-users.metrics.js';
import { SqlUsersRepository } from './sql-users.repository.js';
import { SqlUsersService } from './sql-users.service.js';

/** Read-only database users for BI tools, each with the rows of one project. */
@Module({
  imports: [
    AlertsModule,
    ProjectsModule,
    ReportRowsModule,
    TypeOrmModule.forFeature([SqlUser, SqlRoleDrop, SqlSessionEnd]),
  ],
  controllers: [SqlUsersController],
  providers: [
    SqlRolesRepository,
    SqlSessionsJob,
    SqlSessionsService,
    SqlUsersMetrics,
    SqlUsersRepository,
    SqlUsersService,
  ],
  exports: [SqlUsersService],
})
export class SqlUsersModule {}
