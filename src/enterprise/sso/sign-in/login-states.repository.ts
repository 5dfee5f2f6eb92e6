import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import type { SsoConnection } from '../connections/sso-connection.entity.js';
import { SsoLoginState } from './sso-login-state.entity.js';
import { SsoSeenAssertion } from './sso-seen-assertion.entity.js';
import { cleanUp, deletionOf } from '../../../platform/jobs/batches.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';

/** Of concurrent requests with the same assertion, only one inserts. */
const remember = statement(
  'sso_seen_assertions.remember',
  `INSERT INTO sso_seen_assertions (org_id, connection_id, assertion_hash, expires_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING RETURNING expires_at`,
);

const ofBrowser = statement(
  'sso_login_states.of_browser',
  `SELECT state_hash FROM sso_login_states
   WHERE org_id = $1 AND connection_id = $2 AND browser_hash = $3 AND expires_at > $4 LIMIT 1`,
);

const deleteStates = deletionOf('sso_login_states.delete_expired', {
  table: 'sso_login_states',
  key: ['org_id', 'connection_id', 'state_hash'],
  isOld: (row) => `${row}.expires_at < $1`,
  orderBy: 'expires_at',
});

const deleteAssertions = deletionOf('sso_seen_assertions.delete_expired', {
  table: 'sso_seen_assertions',
  key: ['org_id', 'connection_id', 'assertion_hash'],
  isOld: (row) => `${row}.expires_at < $1`,
  orderBy: 'expires_at',
});

type StateKey = Pick<SsoLoginState, 'orgId' | 'connectionId' | 'stateHash'>;

@Injectable()
export class LoginStatesRepository {
  constructor(
    @InjectRepository(SsoLoginState) private readonly states: Repository<SsoLoginState>,
    private readonly database: DatabaseService,
  ) {}

  async insert(state: SsoLoginState): Promise<void> {
    await this.states.insert(state);
  }

  /** Whether a browser has started a sign-in with the connection that has not expired by `now`. */
  async isStartedBy(browserHash: Buffer, { orgId, id }: SsoConnection, now: Date): Promise<boolean> {
    return (await this.database.query(ofBrowser, [orgId, id, browserHash, now])).length > 0;
  }

  lock(tx: Transaction, { orgId, connectionId, stateHash }: StateKey): Promise<SsoLoginState | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return onTransaction(this.states, tx).findOne({ where: { orgId, connectionId, stateHash }, lock });
  }

  async markUsed(tx: Transaction, { orgId, connectionId, stateHash }: StateKey, usedAt: Date): Promise<void> {
    await onTransaction(this.states, tx).update({ orgId, connectionId, stateHash }, { usedAt });
  }

  /** Returns false if the connection has already accepted the assertion. */
  async remember(
    tx: Transaction,
    { orgId, connectionId, assertionHash, expiresAt }: SsoSeenAssertion,
  ): Promise<boolean> {
    return (await tx.query(remember, [orgId, connectionId, assertionHash, expiresAt])).length > 0;
  }

  @Cleanup('sso_cleanup')
  deleteExpiredStates(now: Date): Promise<number> {
    return cleanUp(this.database, deleteStates, [now]);
  }

  @Cleanup('sso_cleanup')
  deleteExpiredAssertions(now: Date): Promise<number> {
    return cleanUp(this.database, deleteAssertions, [now]);
  }
}
