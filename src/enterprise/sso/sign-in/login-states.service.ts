import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import type { SsoConnection } from '../connections/sso-connection.entity.js';
import { SsoRefused } from '../shared/sso-reasons.js';
import { LoginStatesRepository } from './login-states.repository.js';
import type { SsoLoginState } from './sso-login-state.entity.js';

const LIFETIME_MS = 10 * 60_000;
/** Longer than the leeway for an assertion's times. */
const REMEMBER_MS = 120_000;

/** The expected response to a sign-in, and its browser. */
export interface NewLogin {
  /** Id of the SAML request, or OpenID Connect `state`. */
  state: string;
  next: string;
  /** Value of the cookie. */
  browserSecret: string;
  nonce?: string;
  codeVerifier?: string;
}

export interface PendingLogin {
  next: string;
  nonce: string | null;
  codeVerifier: string | null;
}

const place = ({ orgId, connectionId, stateHash }: SsoLoginState): string =>
  `${orgId}/${connectionId}/${stateHash.toString('hex')}/verifier`;

/** Sign-ins in progress. Each belongs to the browser that started it, and completes at most once. */
@Injectable()
export class LoginStatesService {
  constructor(
    private readonly repository: LoginStatesRepository,
    private readonly database: DatabaseService,
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async begin({ orgId, id: connectionId }: SsoConnection, login: NewLogin): Promise<void> {
    const nowMs = this.clock.nowMs();
    const state: SsoLoginState = {
      orgId,
      connectionId,
      stateHash: credentialHash(login.state),
      nonce: login.nonce ?? null,
      sealedVerifier: null,
      next: login.next,
      browserHash: credentialHash(login.browserSecret),
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + LIFETIME_MS),
      usedAt: null,
    };
    if (login.codeVerifier !== undefined) {
      state.sealedVerifier = this.secrets.seal(login.codeVerifier, place(state));
    }
    await this.repository.insert(state);
  }

  /** Whether the browser has started a sign-in with the connection within the last ten minutes. */
  async isUnderWay(connection: SsoConnection, browserSecret: string | null): Promise<boolean> {
    if (browserSecret === null) return false;
    const now = new Date(this.clock.nowMs());
    return this.repository.isStartedBy(credentialHash(browserSecret), connection, now);
  }

  /**
   * Consumes a sign-in that this browser started with this connection. `reason` is the reason for a refusal if there is
   * none.
   * @throws SsoRefused
   */
  async use(
    tx: Transaction,
    { orgId, id: connectionId }: SsoConnection,
    { state, browserSecret }: { state: string; browserSecret: string | null },
    reason: 'in_response_to' | 'state',
  ): Promise<PendingLogin> {
    const key = { orgId, connectionId, stateHash: credentialHash(state) };
    const found = await this.repository.lock(tx, key);
    const now = new Date(this.clock.nowMs());
    if (!found || found.usedAt !== null || found.expiresAt <= now) throw new SsoRefused(reason);
    if (browserSecret === null || !found.browserHash.equals(credentialHash(browserSecret))) {
      throw new SsoRefused('browser');
    }
    await this.repository.markUsed(tx, key, now);
    const { next, nonce, sealedVerifier } = found;
    return {
      next,
      nonce,
      codeVerifier: sealedVerifier === null ? null : this.secrets.open(sealedVerifier, place(found)),
    };
  }

  /** Like `use`, in its own transaction, for responses that are not complete yet. @throws SsoRefused */
  useAlone(
    connection: SsoConnection,
    login: { state: string; browserSecret: string | null },
  ): Promise<PendingLogin> {
    return this.database.transaction((tx) => this.use(tx, connection, login, 'state'));
  }

  /** @throws SsoRefused if the connection has already accepted the assertion */
  async acceptOnce(
    tx: Transaction,
    { orgId, id: connectionId }: SsoConnection,
    assertion: { id: string; notOnOrAfterMs: number },
  ): Promise<void> {
    const { id: assertionId, notOnOrAfterMs } = assertion;
    const isNew = await this.repository.remember(tx, {
      orgId,
      connectionId,
      assertionHash: credentialHash(assertionId),
      expiresAt: new Date(notOnOrAfterMs + REMEMBER_MS),
    });
    if (!isNew) throw new SsoRefused('replay');
  }
}
