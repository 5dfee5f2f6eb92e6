import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

@Injectable()
export class AddressRulesService {
  constructor(private readonly config: Config) {}

  /** `name@localhost` is for local trials. @throws ApiError 400 on the hosted edition */
  assertAllowed(email: string): void {
    if (this.config.edition === 'cloud' && email.endsWith('@localhost')) {
      throw ApiError.parameter('email', 'email must have a domain with a dot.');
    }
  }
}
