import { Controller, Get, Header, Headers, Inject, NotFoundException, Res } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { within } from '../../libs/kernel/index.js';
import { Anonymous } from '../auth/access.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { ApiError } from '../http/api-error.js';
import { V2ErrorDto } from '../http/error.dto.js';
import { ProcessMetrics } from './cluster-metrics.js';
import { mayReadMetrics } from './metrics-access.js';
import { METRICS_TYPE } from './metrics-server.js';
import { Readiness } from './readiness.js';

class ServerInfoDto {
  @ApiProperty({ type: String, example: 'Tenure' })
  name: string;

  @ApiProperty({ type: String, format: 'uri' })
  docs: string;
}

class HealthDto {
  @ApiProperty({ enum: ['ok'] })
  status: 'ok';
}

/** Probes of load balancers wait for two seconds and the like. */
const ANSWER_WITHIN_MS = 1_500;

const ping = statement('health.ping', 'SELECT 1', ANSWER_WITHIN_MS);

@ApiTags('Server')
@Controller()
export class HealthController {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Config) private readonly config: Config,
    @Inject(Readiness) private readonly readiness: Readiness,
    @Inject(ProcessMetrics) private readonly processMetrics: ProcessMetrics,
  ) {}

  @Get()
  @Anonymous()
  @ApiOperation({
    operationId: 'getServerInfo',
    summary: 'Name of the server and where its documentation is',
  })
  @ApiOkResponse({ type: ServerInfoDto })
  info(): ServerInfoDto {
    return { name: 'Tenure', docs: `${this.config.baseUrl}/docs` };
  }

  @Get('healthz')
  @Anonymous()
  @ApiOperation({ operationId: 'getLiveness', summary: 'The process answers' })
  @ApiOkResponse({ type: HealthDto })
  live(): HealthDto {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Anonymous()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'The process can serve: its database answers, and it is not about to stop',
  })
  @ApiOkResponse({ type: HealthDto })
  @ApiServiceUnavailableResponse({ type: V2ErrorDto })
  async ready(): Promise<HealthDto> {
    if (this.readiness.isLeaving)
      throw new ApiError('overloaded', 'This process is about to stop.', { retryAfterS: 1 });
    // It may also wait for a connection.
    const answer = this.database.query(ping, []).catch(() => null);
    if ((await within(answer, ANSWER_WITHIN_MS, null)) === null)
      throw new ApiError('overloaded', 'The database is not reachable right now.', { retryAfterS: 1 });
    return { status: 'ok' };
  }

  @Get('metrics')
  @Anonymous()
  @ApiExcludeEndpoint()
  @Header('Content-Type', METRICS_TYPE)
  metrics(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    if (this.config.metricsPort !== null) throw new NotFoundException();
    if (!mayReadMetrics(this.config.metricsToken, authorization)) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      throw new ApiError('unauthenticated', 'The metrics need the bearer token of SERVICE_METRICS_TOKEN.');
    }
    return this.processMetrics.text();
  }
}
