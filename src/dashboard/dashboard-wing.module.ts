import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard.controller.js';
import { DashboardFilesService } from './dashboard-files.service.js';
import { StartPageController } from './start-page.controller.js';

/** The dashboard for browsers, built from libs/dashboard. Its routes come after those of the APIs. */
@Module({
  controllers: [StartPageController, DashboardController],
  providers: [DashboardFilesService],
})
export class DashboardWingModule {}
