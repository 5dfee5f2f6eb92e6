import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ListeningProcess } from './listening-process.entity.js';
import { ListeningTimeService } from './listening-time.service.js';
import { ListeningRepository } from './listening.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([ListeningProcess])],
  providers: [ListeningRepository, ListeningTimeService],
  exports: [ListeningTimeService],
})
export class ListeningModule {}
