import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { StoreChores } from './store-chores.js';
import { StoreChoresRepository } from './store-chores.repository.js';

/** Background work on stores that must not be forgotten. */
@Module({
  imports: [AppsModule],
  providers: [StoreChoresRepository, StoreChores],
  exports: [StoreChores],
})
export class StoreChoresModule {}
