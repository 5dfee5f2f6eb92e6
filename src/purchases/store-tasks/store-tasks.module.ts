import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { StoreTasks } from './store-tasks.js';
import { StoreTasksRepository } from './store-tasks.repository.js';

/** Background work on stores that must not be forgotten. */
@Module({
  imports: [AppsModule],
  providers: [StoreTasksRepository, StoreTasks],
  exports: [StoreTasks],
})
export class StoreTasksModule {}
