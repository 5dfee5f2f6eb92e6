import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { assertSameOrigin } from '../../platform/auth/same-origin.js';
import { Config } from '../../platform/config/config.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';

/**
 * For requests that set or clear the session cookie without needing one: other sites must not be able to sign visitors
 * out, or sign them in to another account.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    assertSameOrigin(context.switchToHttp().getRequest<ApiRequest>(), this.config);
    return true;
  }
}
