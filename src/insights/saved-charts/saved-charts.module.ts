import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChartsModule } from '../charts/charts.module.js';
import { ChartBoardController } from './chart-board.controller.js';
import { ChartBoardService } from './chart-board.service.js';
import { SavedChart } from './saved-chart.entity.js';
import { SavedChartsController } from './saved-charts.controller.js';
import { SavedChartsRepository } from './saved-charts.repository.js';
import { SavedChartsService } from './saved-charts.service.js';

/** Saved questions to charts, and the board that shows them. */
@Module({
  imports: [ChartsModule, TypeOrmModule.forFeature([SavedChart])],
  controllers: [ChartBoardController, SavedChartsController],
  providers: [ChartBoardService, SavedChartsRepository, SavedChartsService],
})
export class SavedChartsModule {}
