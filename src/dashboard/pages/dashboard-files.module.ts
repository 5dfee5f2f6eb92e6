import { Module } from '@nestjs/common';
import { DashboardFilesService } from './dashboard-files.service.js';

/** Without routes, for pages that the server renders in the same look. */
@Module({ providers: [DashboardFilesService], exports: [DashboardFilesService] })
export class DashboardFilesModule {}
