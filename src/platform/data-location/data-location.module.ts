import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataLocationService } from './data-location.service.js';
import { ProjectLocation } from './project-location.entity.js';
import { ProjectLocationsRepository } from './project-locations.repository.js';

/** Locates projects stored by other deployments. Global, because the guard of all routes needs it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ProjectLocation])],
  providers: [DataLocationService, ProjectLocationsRepository],
  exports: [DataLocationService],
})
export class DataLocationModule {}
