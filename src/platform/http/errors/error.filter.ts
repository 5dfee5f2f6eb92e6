import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../../config/config.js';
import {
  isConnectionLoss,
  isGivenUp,
  isPoolExhausted,
  isRetryable,
  isWorkerLost,
} from '../../database/database-errors.js';
import { LogService } from '../../observability/log.service.js';
import { causeOf, isError } from '../../observability/logged-error.js';
import { ApiError } from './api-error.js';
import { knownError } from './known-error.js';
import { type ApiRequest, apiFormat, wirePath } from '../pipeline/request.js';
import { RouteTableService } from '../pipeline/route-table.service.js';
import { sendError } from './send-error.js';

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly config: Config,
    private readonly log: LogService,
    private readonly routes: RouteTableService,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const apiError = this.toApiError(error, request, response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    sendError(response, apiError, apiFormat(request), this.config.baseUrl);
  }

  private toApiError(error: unknown, request: ApiRequest, response: Response): ApiError {
    if (error instanceof HttpException && error.getStatus() === 404)
      return this.unknownRoute(request, response);
    const known = knownError(error);
    if (known) return known;
    if (isError(error)) request.failureCause = causeOf(error);
    const route = this.routes.patternOf(request.method, wirePath(request));
    this.log.error({ err: error, request_id: request.id, route }, 'request failed');
    if (isWorkerLost(error)) {
      return new ApiError('overloaded', 'The data of this project is not reachable right now.', {
        retryAfterS: 2,
      });
    }
    if (isConnectionLoss(error)) {
      return new ApiError('overloaded', 'The database is not reachable right now.', { retryAfterS: 1 });
    }
    if (isGivenUp(error)) {
      return new ApiError('overloaded', 'The database cannot process this request right now.', {
        retryAfterS: 1,
      });
    }
    if (isPoolExhausted(error)) {
      return new ApiError('overloaded', 'All connections to the database are busy.', { retryAfterS: 1 });
    }
    if (isRetryable(error)) {
      return new ApiError('overloaded', 'Too many requests change the same data at once.', {
        retryAfterS: 1,
      });
    }
    return new ApiError('internal', 'Internal server error. The request id identifies the log entry.');
  }

  private unknownRoute(request: ApiRequest, response: Response): ApiError {
    const allowed = this.routes.methodsOf(wirePath(request));
    // A route can also report itself as missing, depending on the configuration.
    if (allowed.length === 0 || allowed.includes(request.method))
      return new ApiError('missing', `There is no route ${request.method} ${wirePath(request)}.`);
    response.setHeader('Allow', allowed.join(', '));
    return new ApiError(
      'method_not_allowed',
      `${request.method} is not allowed here; use ${allowed.join(' or ')}.`,
    );
  }
}
