import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard.controller.js';
import { DashboardFilesModule } from './dashboard-files.module.js';
import { StartPageController } from './start-page.controller.js';

@Module({
  imports: [DashboardFilesModule],
  controllers: [StartPageController, DashboardController],
})
export class PagesModule {}
