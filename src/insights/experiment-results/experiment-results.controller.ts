import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Clock, utcDay } from '../../../libs/kernel/index.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ExchangeRatesService } from '../../platform/exchange-rates/exchange-rates.service.js';
import { CSV, sendCsv, wantsCsv } from '../../platform/http/lists/csv.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { DisplayCurrency } from '../../platform/exchange-rates/display-currencies.js';
import { ExperimentResultsDto } from './experiment-results.dto.js';
import { type Money, presentResults, resultLines } from './experiment-results.presenter.js';
import { ExperimentResultsQuery } from './experiment-results.query.js';
import { ExperimentResultsService } from './experiment-results.service.js';

@ApiTags('Experiments')
@ApiExtraModels(ExperimentResultsDto)
@Controller('v2/projects/:project_id/experiments/:experiment_id/results')
export class ExperimentResultsController {
  constructor(
    private readonly results: ExperimentResultsService,
    private readonly rates: ExchangeRatesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @V2Route({
    permission: 'charts_metrics:experiment_results:read',
    operationId: 'getExperimentResults',
    summary: 'Get the results of an experiment',
    description:
      'Figures of each variant since its customers joined, with intervals and the probability of being better than the ' +
      'control. Computed every hour; a request for figures older than 15 minutes has them recomputed, and is ' +
      'answered with the existing ones.',
    ok: {
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ExperimentResultsDto) } },
        [CSV]: { schema: { type: 'string' }, example: 'section,metric,unit,segment,variant,value\r\n' },
      },
    },
    errors: { 409: 'The experiment is a draft.' },
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('experiment_id') id: string,
    @Query() query: ExperimentResultsQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { environment, platform: platforms, country: countries } = query;
    const results = await this.results.results(projectId, id, { environment, platforms, countries });
    const money = this.moneyIn(query.currency);
    if (wantsCsv(request, query.format))
      await sendCsv(response, `${id}_results.csv`, resultLines(results, money));
    else response.json(presentResults(results, money));
  }

  private moneyIn(currency: DisplayCurrency): Money {
    const today = utcDay(this.clock.nowMs());
    return { currency, rate: currency === 'USD' ? 1 : (this.rates.rateOf(currency, today) ?? 0) };
  }
}
