import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { StoreTaskRow } from './store-task.entity.js';
import { StoreTasksService } from './store-tasks.service.js';
import { StoreTasksRepository } from './store-tasks.repository.js';

@Module({
  imports: [AppsModule, TypeOrmModule.forFeature([StoreTaskRow])],
  providers: [StoreTasksRepository, StoreTasksService],
  exports: [StoreTasksService],
})
export class StoreTasksModule {}
