import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/api-error.js';
import type { ApiRequest } from '../../platform/http/request.js';

/** The code that means to SDKs that sign-in is not possible. */
const SIGN_IN_REFUSED = 7224;

/**
 * SDKs send their token login to the path of the dashboard sign-in; only the `Authorization` header distinguishes it.
 * It must never create a dashboard session, whatever its body holds.
 */
@Injectable()
export class TokenLoginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<ApiRequest>();
    if (headers.authorization === undefined) return true;
    throw new ApiError('forbidden', 'Sign-in is not turned on for this app.', { code: SIGN_IN_REFUSED });
  }
}
