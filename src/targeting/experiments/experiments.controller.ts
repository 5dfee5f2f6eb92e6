import { Body, Controller, Delete, Get, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { completeList, listPage } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import {
  CreateExperimentDto,
  DeletedExperimentDto,
  ExperimentDto,
  ExperimentListDto,
  ExperimentPriorityListDto,
  ListExperimentsQuery,
  UpdateExperimentDto,
} from './experiment.dto.js';
import type { Experiment } from './experiment.entity.js';
import { presentExperiment } from './experiment.presenter.js';
import { ExperimentsService } from './experiments.service.js';

@ApiTags('Experiments')
@Controller('v2/projects/:project_id/experiments')
export class ExperimentsController {
  constructor(
    private readonly experiments: ExperimentsService,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:experiments:read',
    operationId: 'listExperiments',
    summary: 'List experiments',
    description: 'The experiments of the project by priority.',
    ok: ExperimentListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() query: ListExperimentsQuery,
    @Req() request: ApiRequest,
  ): Promise<ExperimentListDto> {
    const rows = await this.experiments.page(projectId, query.status, query);
    const present = await this.presenter(projectId);
    return listPage(request, query, rows, present, ({ priority, id }) => [priority, id]);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'createExperiment',
    summary: 'Create an experiment',
    description: 'Creates a draft with two to four variants. No customer joins before it is started.',
    created: ExperimentDto,
    errors: { 422: 'An offering is archived, or two variants are the same.' },
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateExperimentDto,
  ): Promise<ExperimentDto> {
    return this.present(await this.experiments.create(write, body));
  }

  @Put('priority_list')
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'reorderExperiments',
    summary: 'Reorder experiments',
    description:
      'A customer joins the first running experiment that admits them. Answers with all experiments in the new order.',
    ok: ExperimentListDto,
  })
  async reorder(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: ExperimentPriorityListDto,
    @Req() request: ApiRequest,
  ): Promise<ExperimentListDto> {
    const rows = await this.experiments.reorder(write, body.experiment_ids);
    const present = await this.presenter(write.projectId);
    return completeList(request, rows.map(present));
  }

  @Get(':experiment_id')
  @V2Route({
    permission: 'project_configuration:experiments:read',
    operationId: 'getExperiment',
    summary: 'Get an experiment',
    description: 'An experiment with its variants, and the running experiments whose audiences may overlap.',
    ok: ExperimentDto,
  })
  @ApiQuery({
    name: 'expand',
    type: String,
    required: false,
    description: 'Accepted and ignored: nothing is left out of an experiment.',
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('experiment_id') experimentId: string,
  ): Promise<ExperimentDto> {
    return this.present(await this.experiments.get(projectId, experimentId));
  }

  @Post(':experiment_id')
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'updateExperiment',
    summary: 'Change an experiment',
    description:
      'Absent fields are not changed. Every field of a draft can change; a running experiment only its names, notes, metrics, percentage and weights, which apply to customers who join later.',
    ok: ExperimentDto,
    errors: {
      409: 'The status does not allow the change.',
      422: 'An offering is archived, or two variants are the same.',
    },
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('experiment_id') experimentId: string,
    @Body() body: UpdateExperimentDto,
  ): Promise<ExperimentDto> {
    return this.present(await this.experiments.update(write, experimentId, body));
  }

  @Delete(':experiment_id')
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'deleteExperiment',
    summary: 'Delete an experiment',
    description: 'Deletes a draft or a stopped experiment with its enrolments. Events of customers stay.',
    ok: DeletedExperimentDto,
    errors: { 409: 'The experiment is running or paused.' },
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('experiment_id') experimentId: string,
  ): Promise<DeletedExperimentDto> {
    const deletedAtMs = await this.experiments.delete(write, experimentId);
    return { object: 'experiment', id: experimentId, deleted_at: deletedAtMs };
  }

  private async present(experiment: Experiment): Promise<ExperimentDto> {
    return (await this.presenter(experiment.projectId))(experiment);
  }

  private async presenter(projectId: string): Promise<(experiment: Experiment) => ExperimentDto> {
    const catalog = await this.catalogs.getCurrent(projectId);
    return (experiment) => presentExperiment(experiment, catalog, this.clock.nowMs());
  }
}
