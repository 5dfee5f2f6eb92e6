import { Module } from '@nestjs/common';
import { DatasetReaderService } from './dataset-reader.service.js';
import { DatasetsRepository } from './datasets.repository.js';

/** Data sets, and the files that have their rows. */
@Module({
  providers: [DatasetReaderService, DatasetsRepository],
  exports: [DatasetReaderService],
})
export class DatasetsModule {}
