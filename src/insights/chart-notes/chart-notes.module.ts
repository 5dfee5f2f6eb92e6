import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChartNote } from './chart-note.entity.js';
import { ChartNotesController } from './chart-notes.controller.js';
import { ChartNotesRepository } from './chart-notes.repository.js';
import { ChartNotesService } from './chart-notes.service.js';

/** Notes on days, which charts show. */
@Module({
  imports: [TypeOrmModule.forFeature([ChartNote])],
  controllers: [ChartNotesController],
  providers: [ChartNotesRepository, ChartNotesService],
})
export class ChartNotesModule {}
