import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Config } from '../config/config.js';
import { errorBody } from '../http/errors/error-bodies.js';
import { finalError } from '../http/errors/known-error.js';
import type { ApiRequest, IdempotencyClaim } from '../http/pipeline/request.js';
import { LogService } from '../observability/log.service.js';
import { fingerprintOf, idempotencyKeyOf, tenantOf } from './idempotency-key.js';
import { type Answer, IdempotentRequestsService } from './idempotent-requests.service.js';
import { customersOfAnswer, customersOfRequest } from './named-customers.js';

export const REPLAYED_HEADER = 'Idempotent-Replayed';

/** Writes only. Runs after the guard: a caller without permission must not learn that the write was done. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly requests: IdempotentRequestsService,
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const key = idempotencyKeyOf(request);
    if (key === null) return next.handle();
    return from(this.answerOnce(key, request, http.getResponse<Response>(), next));
  }

  private async answerOnce(
    key: string,
    request: ApiRequest,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    const asked = customersOfRequest(request);
    const begun = await this.requests.begin(tenantOf(request), key, {
      fingerprint: fingerprintOf(request),
      appUserIds: asked,
    });
    if ('status' in begun) {
      response.status(begun.status).setHeader(REPLAYED_HEADER, 'true');
      return begun.body === '' ? undefined : (JSON.parse(begun.body) as unknown);
    }
    request.idempotencyClaim = begun;
    try {
      const value: unknown = await lastValueFrom(next.handle());
      const answer = { status: response.statusCode, body: JSON.stringify(value) ?? '' };
      await this.keep(begun, answer, [...asked, ...customersOfAnswer(value)]);
      return value;
    } catch (error) {
      await this.keep(begun, this.finalAnswer(error), asked);
      throw error;
    }
  }

  /** Returns null for errors that a retry may fix. */
  private finalAnswer(error: unknown): Answer | null {
    const known = finalError(error);
    return (
      known && { status: known.status, body: JSON.stringify(errorBody(known, 'v2', this.config.baseUrl)) }
    );
  }

  /** Never throws: the work is done, so the client gets its response even if it cannot be stored. */
  private async keep(
    claim: IdempotencyClaim,
    answer: Answer | null,
    appUserIds: readonly string[],
  ): Promise<void> {
    try {
      await (answer ? this.requests.finish(claim, answer, appUserIds) : this.requests.release(claim));
    } catch (error) {
      this.log.warn(
        { err: error, tenantId: claim.tenantId },
        'the answer of an idempotent request was not kept',
      );
    }
  }
}
