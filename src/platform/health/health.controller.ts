import { Controller, Get, Header, Headers, NotFoundException, Res } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../auth/access.js';
import { Config } from '../config/config.js';
import { DatabaseHealthService, type Unable, unableReasons } from '../database/database-health.service.js';
import { ApiError } from '../http/errors/api-error.js';
import { V2ErrorDto } from '../http/errors/error.dto.js';
import { ProcessMetrics } from '../observability/cluster-metrics.js';
import { mayReadMetrics } from '../observability/metrics-access.js';
import { METRICS_TYPE } from '../observability/metrics-server.js';
import { ReadinessService } from '../observability/readiness.service.js';

class HealthDto {
  @ApiProperty({ enum: ['ok'] })
  status: 'ok';
}

class LivenessDto {
  @ApiProperty({
    enum: ['ok', 'starting'],
    description: '`starting`: the process is migrating the database or loading; `/readyz` answers 503.',
  })
  status: 'ok' | 'starting';
}

class UnableDto implements Unable {
  @ApiProperty({ enum: ['writes', 'table'], description: '`writes`: nothing can be written.' })
  what: Unable['what'];

  @ApiProperty({ type: String, required: false, description: 'The table, if `what` is `table`.' })
  table?: string;

  @ApiProperty({
    enum: unableReasons,
    description:
      '`read_only`: transactions are read-only; `replica`: the database is a read replica; `disk_full`: its disk is full; ' +
      "`may_not_read`, `may_not_write`: a privilege of the server's role is missing.",
  })
  reason: Unable['reason'];
}

class ReadinessDto extends HealthDto {
  @ApiProperty({
    type: [UnableDto],
    description:
      'Operations that the database refuses. Empty if all is well. Checked every 10 to 20 seconds.',
  })
  unable: UnableDto[];
}

@ApiTags('Server')
@Controller()
export class HealthController {
  constructor(
    private readonly database: DatabaseHealthService,
    private readonly config: Config,
    private readonly readiness: ReadinessService,
    private readonly processMetrics: ProcessMetrics,
  ) {}

  @Get('healthz')
  @Anonymous()
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Check that the process is alive',
    description: 'Answers 200 while the process runs, whatever its database does. For liveness probes.',
  })
  @ApiOkResponse({ type: LivenessDto })
  live(): LivenessDto {
    // Until the server has started, src/platform/http/pipeline/starting-answers.ts responds instead.
    return { status: 'ok' };
  }

  @Get('readyz')
  @Anonymous()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Check that the process can serve',
    description:
      'Answers 200 when the database can be reached and the process is not about to stop, otherwise 503. It also answers 200 while the database is read-only; `unable` then names what is refused. For readiness probes.',
  })
  @ApiOkResponse({ type: ReadinessDto })
  @ApiServiceUnavailableResponse({ type: V2ErrorDto })
  async ready(): Promise<ReadinessDto> {
    if (this.readiness.isLeaving)
      throw new ApiError('overloaded', 'This process is about to stop.', { retryAfterS: 1 });
    if (!(await this.database.answers()))
      throw new ApiError('overloaded', 'The database is not reachable right now.', { retryAfterS: 1 });
    return { status: 'ok', unable: [...(await this.database.unable())] };
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
      throw new ApiError(
        'unauthenticated',
        'Reading metrics requires the bearer token SERVICE_METRICS_TOKEN.',
      );
    }
    return this.processMetrics.text();
  }
}
