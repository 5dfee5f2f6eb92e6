import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ProjectDeletions } from '../../workspace/projects/project-deletions.service.js';
import { ExportDestinationsService } from '../destinations/export-destinations.service.js';
import { ReportConsumers } from '../report-rows/report-consumers.service.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportRunsService } from './runs/export-runs.service.js';

/** Connects exports with what projects and report rows need to know of them. */
@Injectable()
export class ExportRegistrations implements OnModuleInit {
  constructor(
    private readonly deletions: ProjectDeletions,
    private readonly consumers: ReportConsumers,
    private readonly exports: ExportsRepository,
    private readonly runs: ExportRunsService,
    private readonly destinations: ExportDestinationsService,
  ) {}

  onModuleInit(): void {
    this.consumers.register('exports', (reader, projectId) => this.exports.hasAny(reader, projectId));
    // Nothing leaves the server any more, and the credentials of others are not kept until the purge.
    this.deletions.register(async (tx, projectId) => {
      await this.runs.cancelAll(tx, projectId);
      await this.destinations.removeSecrets(tx, projectId);
    });
  }
}
