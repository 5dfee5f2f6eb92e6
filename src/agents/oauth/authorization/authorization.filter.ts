import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { AuthorizationRefused } from './authorization-refused.js';
import { OauthPagesService } from './oauth-pages.service.js';

const titles: Record<number, string> = {
  403: 'This page is not valid any more',
  429: 'Too many attempts',
};

/** People read the responses to authorization requests, so each is a page or a redirect to the client. */
@Catch(AuthorizationRefused, ApiError)
export class AuthorizationFilter implements ExceptionFilter {
  constructor(private readonly pages: OauthPagesService) {}

  catch(error: AuthorizationRefused | ApiError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof ApiError) {
      host.switchToHttp().getRequest<ApiRequest>().failure = error;
      const { retryAfterS } = error.details;
      if (retryAfterS !== undefined) response.setHeader('Retry-After', String(retryAfterS));
      const title = titles[error.status] ?? 'This request cannot be used';
      return this.pages.sendProblem(response, error.status, title, error.message);
    }
    const { refusal } = error;
    if ('redirect' in refusal) return response.redirect(302, refusal.redirect);
    this.pages.sendProblem(response, refusal.status, refusal.title, refusal.message);
  }
}
