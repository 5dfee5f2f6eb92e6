import { Global, Module } from '@nestjs/common';
import { DataLocation } from '../../platform/auth/data-location.js';
import { ForeignProjectsRepository } from './foreign-projects.repository.js';
import { ForeignProjectsService } from './foreign-projects.service.js';

/** Which projects another deployment has. Global, because the guard of all routes asks. */
@Global()
@Module({
  providers: [
    ForeignProjectsRepository,
    ForeignProjectsService,
    { provide: DataLocation, useExisting: ForeignProjectsService },
  ],
  exports: [DataLocation],
})
export class DataLocationModule {}
