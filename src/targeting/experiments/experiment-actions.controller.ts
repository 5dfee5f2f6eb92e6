import { Body, Controller, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import type { Clock } from '../../../libs/kernel/index.js';
import type { ExperimentAction } from '../../../libs/targeting/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { assertMay } from '../../platform/auth/current-principal.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { V2ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
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
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'startExperiment',
    summary: 'Start an experiment',
    description: 'Customers join from now on. `warnings` names apps for which a variant has no package.',
    ok: ExperimentDto,
    errors: { 422: 'An offering is archived, or 20 experiments are running.' },
  })
  start(@CurrentWrite() write: ProjectWrite, @Param('experiment_id') id: string): Promise<ExperimentDto> {
    return this.run(write, id, 'start');
  }

  @Post('pause')
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'pauseExperiment',
    summary: 'Pause an experiment',
    description: 'New customers no longer join; those who have joined keep their variant.',
    ok: ExperimentDto,
  })
  pause(@CurrentWrite() write: ProjectWrite, @Param('experiment_id') id: string): Promise<ExperimentDto> {
    return this.run(write, id, 'pause');
  }

  @Post('resume')
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'resumeExperiment',
    summary: 'Resume an experiment',
    description: 'Customers join again. Customers first seen during the pause count as new.',
    ok: ExperimentDto,
    errors: { 422: '20 experiments are running.' },
  })
  resume(@CurrentWrite() write: ProjectWrite, @Param('experiment_id') id: string): Promise<ExperimentDto> {
    return this.run(write, id, 'resume');
  }

  @Post('stop')
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'stopExperiment',
    summary: 'Stop an experiment',
    description:
      'Stops the experiment permanently. Customers see the offering of a rule, or the current one.',
    ok: ExperimentDto,
  })
  stop(@CurrentWrite() write: ProjectWrite, @Param('experiment_id') id: string): Promise<ExperimentDto> {
    return this.run(write, id, 'stop');
  }

  @Post('mark_winner')
  @V2Route({
    permission: 'project_configuration:experiments:read_write',
    operationId: 'markExperimentWinner',
    summary: 'Mark the winner of an experiment',
    description:
      'Stops the experiment. With `rollout`, the winner is shown to everyone, which needs the permission to write offerings or targeting rules.',
    ok: ExperimentDto,
    errors: { 422: 'The offering is archived.' },
  })
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
