import type { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';

/** `name@localhost` is for local trials. @throws ApiError 400 on the hosted edition */
export function assertDomainAllowed(email: string, { edition }: Pick<Config, 'edition'>): void {
  if (edition === 'cloud' && email.endsWith('@localhost')) {
    throw ApiError.parameter('email', 'email must have a domain with a dot.');
  }
}
