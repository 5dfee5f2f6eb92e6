import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { type OauthScope, scopeText } from '../../../platform/principal/oauth-scopes.js';
import type { OauthAudience } from '../../../platform/principal/principal.js';
import {
  type Repetition,
  RefreshRepetitionsService,
} from '../../../platform/refresh-tokens/refresh-repetitions.service.js';
import {
  decideReplaced,
  MAX_STEPS,
  openSuccessors,
  sealSuccessor,
} from '../../../platform/refresh-tokens/replaced-token.policy.js';
import { ClientsService } from '../clients/clients.service.js';
import { GrantsRepository } from '../grants/grants.repository.js';
import { type GrantEnd, GrantsService } from '../grants/grants.service.js';
import type { OauthGrant } from '../grants/oauth-grant.entity.js';
import { oauthError } from '../oauth-error.js';
import { audienceOf } from '../oauth-issuer.service.js';
import {
  ACCESS_TOKEN_S,
  newAccessToken,
  newRefreshToken,
  parseRefreshToken,
  REFRESH_TOKEN_MS,
  type RefreshToken,
} from './oauth-tokens.js';
import type { OauthTokenSetDto } from './token.dto.js';
import { type CodeExchange, type TokenRefresh, verifierFits } from './token-requests.js';

const badCode = (): ApiError =>
  oauthError('invalid_grant', 'The code is unknown, expired, already used, or belongs to another request.');
const badRefreshToken = (): ApiError =>
  oauthError(
    'invalid_grant',
    'The refresh token is unknown, expired, replaced, or belongs to another client.',
  );

/** Exchanges codes and refresh tokens for access tokens. */
@Injectable()
export class TokensService {
  constructor(
    private readonly database: DatabaseService,
    private readonly repository: GrantsRepository,
    private readonly grants: GrantsService,
    private readonly clients: ClientsService,
    private readonly repetitions: RefreshRepetitionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A code presented twice counts as stolen and ends its grant. @throws ApiError 400, 401 */
  async exchange(exchange: CodeExchange, issuer: string): Promise<OauthTokenSetDto> {
    await this.clients.assertKnown(exchange.clientId);
    return this.committed(async (tx) => {
      const grant = await this.repository.lock(tx, 'code', credentialHash(exchange.code));
      if (!grant) return badCode();
      if (grant.codeUsedAt !== null) return this.ended(tx, grant, 'code_reused', badCode());
      const { clientId, redirectUri, verifier } = exchange;
      const isOfRequest =
        grant.clientId === clientId && (redirectUri === null || redirectUri === grant.redirectUri);
      if (!isOfRequest || this.isOver(grant) || !verifierFits(verifier, grant.codeChallenge))
        return badCode();
      if (!isFor(grant.audience, exchange.resource, issuer)) return wrongTarget();
      return this.issue(tx, grant, newRefreshToken(), grant.scopes);
    });
  }

  /**
   * A repeated request gets the current refresh token again. With any other replaced token, it or its successor was
   * stolen, so the grant ends.
   * @throws ApiError 400, 401, 429
   */
  async refresh(refresh: TokenRefresh, issuer: string): Promise<OauthTokenSetDto> {
    await this.clients.assertKnown(refresh.clientId);
    const token = parseRefreshToken(refresh.refreshToken);
    if (!token) throw badRefreshToken();
    const arrivedAtMs = performance.now();
    let repetition: Repetition | null = null;
    const tokens = await this.committed(async (tx) => {
      repetition = null;
      const grant = await this.repository.lock(tx, 'refresh', token.familyHash);
      if (!grant || grant.clientId !== refresh.clientId || this.isOver(grant)) return badRefreshToken();
      const repeated = grant.refreshHash?.equals(token.hash)
        ? null
        : await this.repeated(tx, grant, token, arrivedAtMs);
      if (repeated instanceof ApiError) return repeated;
      const scopes = refresh.scopes ?? grant.scopes;
      const next = newRefreshToken(token);
      if (!scopes.every((scope) => grant.scopes.includes(scope))) {
        return oauthError('invalid_scope', 'scope exceeds what the user granted.');
      }
      if (!isFor(grant.audience, refresh.resource, issuer)) return wrongTarget();
      if (repeated === null) {
        await this.recordReplacement(tx, grant, token, next);
        return this.issue(tx, grant, next, scopes);
      }
      ({ repetition } = repeated);
      return this.issueAgain(tx, grant, repeated.token, scopes);
    });
    if (repetition !== null) await this.repetitions.count(repetition);
    return tokens;
  }

  /** Either token ends the whole grant. Ignores unknown tokens and those of another client. */
  async revoke(token: string, clientId: string | null): Promise<void> {
    const refreshToken = parseRefreshToken(token);
    await this.database.transaction(async (tx) => {
      const grant = refreshToken
        ? await this.repository.lock(tx, 'refresh', refreshToken.familyHash)
        : await this.repository.lock(tx, 'access', credentialHash(token));
      if (!grant || (clientId !== null && clientId !== grant.clientId)) return;
      await this.grants.end(tx, grant, { actor: { type: 'oauth_client', identifier: grant.clientId } });
    });
  }

  /** Commits even if `work` returns an error. @throws the returned ApiError */
  private async committed(
    work: (tx: Transaction) => Promise<OauthTokenSetDto | ApiError>,
  ): Promise<OauthTokenSetDto> {
    const outcome = await this.database.transaction(work);
    if (outcome instanceof ApiError) throw outcome;
    return outcome;
  }

  private async ended(
    tx: Transaction,
    grant: OauthGrant,
    reason: GrantEnd,
    error: ApiError,
  ): Promise<ApiError> {
    await this.grants.end(tx, grant, { reason });
    return error;
  }

  /** Records a token that `next` replaces, and seals `next` for a repeated request. */
  private async recordReplacement(
    tx: Transaction,
    grant: OauthGrant,
    { text, hash: refreshHash }: RefreshToken,
    next: RefreshToken,
  ): Promise<void> {
    const { projectId, id: grantId, generation, expiresAt } = grant;
    const { graceMs } = this.repetitions.rules(REFRESH_TOKEN_MS);
    await this.repository.forgetSuccessors(tx, grant, graceMs);
    await this.repository.deleteRepeatedAccess(tx, grant);
    await this.repository.addReplaced(tx, {
      projectId,
      grantId,
      generation,
      refreshHash,
      issuedAt: new Date(expiresAt.getTime() - REFRESH_TOKEN_MS),
      sealedSuccessor: graceMs === 0 ? null : sealSuccessor(text, next.text, placeOf(grant, generation)),
    });
  }

  /** Answers a replaced token with the current one. Returns the error if it has expired or the grant has ended. */
  private async repeated(
    tx: Transaction,
    grant: OauthGrant,
    presented: RefreshToken,
    arrivedAtMs: number,
  ): Promise<{ token: RefreshToken; repetition: Repetition } | ApiError> {
    const { projectId, id: ownerId, generation } = grant;
    const waitedMs = performance.now() - arrivedAtMs;
    const replaced = await this.repository.findReplaced(tx, grant, presented.hash, MAX_STEPS);
    const [first] = replaced;
    const current = { generation, usedAt: grant.generationUsedAt };
    const decision = first
      ? decideReplaced(first, current, this.repetitions.rules(REFRESH_TOKEN_MS))
      : 'reuse';
    if (decision === 'expired') return badRefreshToken();
    if (first && decision === 'repeat') {
      const text = openSuccessors(presented.text, replaced, (step) => placeOf(grant, step));
      const token = text === null ? null : parseRefreshToken(text);
      if (token && grant.refreshHash?.equals(token.hash)) {
        const { replacedAgoMs } = first;
        return { token, repetition: { projectId, ownerId, generation, replacedAgoMs, waitedMs } };
      }
    }
    tx.afterCommit(() => this.repetitions.recordReuse('oauth', projectId, ownerId));
    return this.ended(tx, grant, 'refresh_token_reused', badRefreshToken());
  }

  /** Issues one more access token for the current refresh token. Earlier access tokens still work. */
  private async issueAgain(
    tx: Transaction,
    { projectId, id: grantId }: OauthGrant,
    refreshToken: RefreshToken,
    scopes: OauthScope[],
  ): Promise<OauthTokenSetDto> {
    const access = newAccessToken();
    const expiresAt = new Date(this.clock.nowMs() + ACCESS_TOKEN_S * 1000);
    await this.repository.addRepeatedAccess(tx, {
      tokenHash: access.hash,
      projectId,
      grantId,
      scopes,
      expiresAt,
    });
    return tokenSet(access.text, refreshToken.text, scopes);
  }

  private isOver({ expiresAt }: OauthGrant): boolean {
    return expiresAt.getTime() <= this.clock.nowMs();
  }

  /** Replaces the current pair of tokens. */
  private async issue(
    tx: Transaction,
    grant: OauthGrant,
    refreshToken: RefreshToken,
    scopes: OauthScope[],
  ): Promise<OauthTokenSetDto> {
    const nowMs = this.clock.nowMs();
    const access = newAccessToken();
    await this.repository.update(tx, grant, {
      codeUsedAt: grant.codeUsedAt ?? new Date(nowMs),
      accessHash: access.hash,
      accessScopes: scopes,
      accessExpiresAt: new Date(nowMs + ACCESS_TOKEN_S * 1000),
      refreshHash: refreshToken.hash,
      generation: grant.refreshHash === null ? 1 : grant.generation + 1,
      generationUsedAt: null,
      expiresAt: new Date(nowMs + REFRESH_TOKEN_MS),
    });
    await this.repository.setRoute(tx, grant, 'access', access.hash);
    if (grant.refreshHash === null) {
      await this.repository.setRoute(tx, grant, 'refresh', refreshToken.familyHash);
    }
    await this.clients.recordUse(tx, grant.clientId, new Date(nowMs));
    return tokenSet(access.text, refreshToken.text, scopes);
  }
}

function tokenSet(accessToken: string, refreshToken: string, scopes: OauthScope[]): OauthTokenSetDto {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_S,
    refresh_token: refreshToken,
    scope: scopeText(scopes),
  };
}

/** Identifies the sealed successor of a replaced token. */
function placeOf({ projectId, id }: OauthGrant, generation: number): string {
  return `${projectId}/${id}/${generation}`;
}

const wrongTarget = (): ApiError =>
  oauthError('invalid_target', 'resource is not the one that the user granted.');

/** Whether a token request names a resource that the person consented to. It may omit the resource. */
function isFor(granted: OauthAudience, resource: string | null, issuer: string): boolean {
  if (resource === null) return true;
  const asked = audienceOf(resource, issuer);
  return asked !== null && (granted === 'any' || asked === granted);
}
