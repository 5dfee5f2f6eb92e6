import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard.controller.js';
import { DashboardFilesService } from './dashboard-files.service.js';
import { StartPageController } from './start-page.controller.js';

@Module({
  controllers: [StartPageController, DashboardController],
  providers: [DashboardFilesService],
})
export class PagesModule {}
