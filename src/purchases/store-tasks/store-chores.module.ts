import { Module } from '@nestjs/common';
import { StoreChores } from './store-chores.js';
import { StoreChoresRepository } from './store-chores.repository.js';

/** Background work on stores that must not be forgotten. */
@Module({
  providers: [StoreChoresRepository, StoreChores],
  exports: [StoreChores],
})
export class StoreChoresModule {}
