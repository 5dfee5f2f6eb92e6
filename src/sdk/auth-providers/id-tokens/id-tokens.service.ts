import { Inject, Injectable } from '@nestjs/common';
import { compactVerify } from 'jose';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { AuthProvider } from '../providers/auth-provider.entity.js';
import { AuthProvidersRepository } from '../providers/auth-providers.repository.js';
import {
  checkClaims,
  type Claims,
  type IdTokenProblem,
  IdTokenRefused,
  issuerOf,
  mappedAppUserId,
  type ParsedIdToken,
  parseIdToken,
} from './id-token.policy.js';
import type { KeySource } from './key-set.client.js';
import { KeySetsService, KeysUnavailable } from './key-sets.service.js';

/** Sign-in methods of customers. All except firebase are OpenID Connect providers. */
export type SignInMethod = 'firebase' | 'oidc' | 'google' | 'apple' | 'facebook';

/** The subject of a valid ID token. */
export interface IdTokenSubject {
  subject: string;
  /** Used for the first sign-in; afterwards the stored id applies. */
  mappedAppUserId: string;
  claims: Claims;
}

export interface CheckedIdToken extends IdTokenSubject {
  provider: AuthProvider;
}

const FIREBASE_KEYS_URL =
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';

@Injectable()
export class IdTokensService {
  private readonly firebaseKeysUrl: string;

  constructor(
    private readonly providers: AuthProvidersRepository,
    private readonly keySets: KeySetsService,
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.firebaseKeysUrl = (config.testStores ? config.firebaseKeysUrl : null) ?? FIREBASE_KEYS_URL;
  }

  /**
   * Checks the ID token of a sign-in.
   * @throws ApiError 401 for a token that fails a check, 403 if sign-in is off or no enabled provider fits (both 7224),
   *   503 if the provider's keys cannot be loaded
   */
  async check(projectId: string, method: SignInMethod, idToken: string): Promise<CheckedIdToken> {
    try {
      const token = parseIdToken(idToken);
      const provider = await this.providerOf(projectId, method, issuerOf(token.claims));
      return { provider, ...(await this.verify(provider, token)) };
    } catch (error) {
      throw signInError(error);
    }
  }

  /** @throws IdTokenRefused, KeysUnavailable */
  test(provider: AuthProvider, idToken: string): Promise<IdTokenSubject> {
    return this.verify(provider, parseIdToken(idToken));
  }

  private async providerOf(projectId: string, method: SignInMethod, issuer: unknown): Promise<AuthProvider> {
    const kind = method === 'firebase' ? 'firebase' : 'oidc';
    const isText = typeof issuer === 'string' && !issuer.includes('\0') && issuer.isWellFormed();
    const found = await this.providers.forSignIn(projectId, kind, isText ? issuer : '');
    if (!found.isOn) throw forbidden('Sign-in is turned off in this project.');
    if (!found.provider) throw forbidden('The project has no enabled provider for this method and issuer.');
    return found.provider;
  }

  private async verify(provider: AuthProvider, token: ParsedIdToken): Promise<IdTokenSubject> {
    const { claims } = token;
    if (issuerOf(claims) !== provider.issuer) throw new IdTokenRefused('wrong_issuer');
    await this.verifySignature(this.sourceOf(provider), token);
    const subject = checkClaims(claims, provider, this.clock.nowMs());
    return { subject, mappedAppUserId: mappedAppUserId(claims, provider), claims };
  }

  private async verifySignature(source: KeySource, token: ParsedIdToken): Promise<void> {
    const key = await this.keySets.find(source, token);
    if (!key) throw new IdTokenRefused('unknown_key');
    try {
      await compactVerify(token.text, key, { algorithms: [token.alg] });
    } catch {
      throw new IdTokenRefused('bad_signature');
    }
  }

  private sourceOf({ kind, jwksUrl, issuer }: AuthProvider): KeySource {
    if (kind === 'firebase') return { jwksUrl: this.firebaseKeysUrl };
    return jwksUrl === null ? { issuer } : { jwksUrl };
  }
}

function forbidden(message: string): ApiError {
  return new ApiError('forbidden', message, { code: 7224 });
}

function signInError(error: unknown): unknown {
  if (error instanceof IdTokenRefused) {
    return new ApiError('unauthenticated', error.message, { code: 7224 });
  }
  if (error instanceof KeysUnavailable) {
    const message = "The provider's keys cannot be loaded; try again later.";
    return new ApiError('overloaded', message, { retryAfterS: error.retryAfterS });
  }
  return error;
}

/** Why a token failed, for the project's members. */
export function problemOf(error: unknown): {
  problem: IdTokenProblem;
  message: string;
  claims: Claims | null;
} {
  if (error instanceof IdTokenRefused) {
    return { problem: error.problem, message: error.message, claims: error.claims };
  }
  if (error instanceof KeysUnavailable) {
    return { problem: 'keys_unavailable', message: error.message, claims: null };
  }
  throw error;
}
