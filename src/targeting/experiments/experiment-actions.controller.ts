import { Body, Controller, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import type { Clock } from '../../../libs/kernel/index.js';
import type { ExperimentAction } from '../../../libs/targeting/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { assertMay } from '../../platform/auth/current-principal.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { ExperimentActionsService } from './experiment-actions.service.js';
import { ExperimentDto, MarkWinnerDto } from './experiment.dto.js';
import type { Experiment } from './experiment.entity.js';
import { presentExperiment } from './experiment.presenter.js';

@ApiTags('Experiments')
@ApiConflictResponse({ type: V2ErrorDto, description: 'The status does not allow it.' })
@Controller('v2/projects/:project_id/experiments/:experiment_id/actions')
export class ExperimentActionsController {
  constructor(
    private readonly actions: ExperimentActionsService,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post('start')
  @HttpCode(200)
  @RequirePermission('project_configuration:experiments:read_write')
  @ApiOperation({
    operationId: 'startExperiment',
    summary: 'Start an experiment',
    description: 'Customers join from now on. `warnings` names apps without a package of a variant.',
  })
  @ApiOkResponse({ type: ExperimentDto })
  @ApiUnprocessableEntityResponse({
    type: V2ErrorDto,
    description: 'An offering is archived, or 20 experiments are running.',
  })
  start(@CurrentWrite() write: ProjectWrite, @Param('experiment_id') id: string): Promise<ExperimentDto> {
    return this.run(write, id, 'start');
  }

  @Post('pause')
  @HttpCode(200)
  @RequirePermission('project_configuration:experiments:read_write')
  @ApiOperation({
    operationId: 'pauseExperiment',
    summary: 'Pause an experiment',
    description: 'No customer joins any more; those who joined keep their variant.',
  })
  @ApiOkResponse({ type: ExperimentDto })
  pause(@CurrentWrite() write: ProjectWrite, @Param('experiment_id') id: string): Promise<ExperimentDto> {
    return this.run(write, id, 'pause');
  }

  @Post('resume')
  @HttpCode(200)
  @RequirePermission('project_configuration:experiments:read_write')
  @ApiOperation({
    operationId: 'resumeExperiment',
    summary: 'Resume an experiment',
    description: 'Customers join again. Who was first seen during the pause counts as new.',
  })
  @ApiOkResponse({ type: ExperimentDto })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: '20 experiments are running.' })
  resume(@CurrentWrite() write: ProjectWrite, @Param('experiment_id') id: string): Promise<ExperimentDto> {
    return this.run(write, id, 'resume');
  }

  @Post('stop')
  @HttpCode(200)
  @RequirePermission('project_configuration:experiments:read_write')
  @ApiOperation({
    operationId: 'stopExperiment',
    summary: 'Stop an experiment',
    description: 'Stops it for good. Customers get the offering of a rule, or the current one.',
  })
  @ApiOkResponse({ type: ExperimentDto })
  stop(@CurrentWrite() write: ProjectWrite, @Param('experiment_id') id: string): Promise<ExperimentDto> {
    return this.run(write, id, 'stop');
  }

  @Post('mark_winner')
  @HttpCode(200)
  @RequirePermission('project_configuration:experiments:read_write')
  @ApiOperation({
    operationId: 'markExperimentWinner',
    summary: 'Mark the winner of an experiment',
    description:
      'Stops the experiment and shows the winner to everyone if `rollout` says so, which needs the permission to write offerings or targeting rules.',
  })
  @ApiOkResponse({ type: ExperimentDto })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: 'The offering is archived.' })
  async markWinner(
    @CurrentWrite() write: ProjectWrite,
    @Param('experiment_id') id: string,
    @Body() { variant, rollout = 'none' }: MarkWinnerDto,
    @Req() request: ApiRequest,
  ): Promise<ExperimentDto> {
    if (rollout === 'default_offering') assertMay(request, 'project_configuration:offerings:read_write');
    if (rollout === 'targeting_rule') assertMay(request, 'project_configuration:targeting_rules:read_write');
    return this.present(await this.actions.markWinner(write, id, variant, rollout));
  }

  private async run(write: ProjectWrite, id: string, action: ExperimentAction): Promise<ExperimentDto> {
    return this.present(await this.actions.run(write, id, action));
  }

  private async present(experiment: Experiment): Promise<ExperimentDto> {
    const catalog = await this.catalogs.getCurrent(experiment.projectId);
    return presentExperiment(experiment, catalog, this.clock.nowMs());
  }
}
