import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import type { Place } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { ReplacedToken } from '../../../platform/refresh-tokens/replaced-token.policy.js';
import {
  isReplacedBeforeSql,
  replacedAgoMsSql,
  replacedAtSql,
} from '../../../platform/refresh-tokens/replaced-tokens.sql.js';
import type { OauthTokenGrant } from '../../../platform/principal/principal.js';
import type { GrantSecret } from './oauth-grant-route.entity.js';
import { OauthGrant } from './oauth-grant.entity.js';
import { RepeatedAccessToken } from './repeated-access-token.entity.js';
import { ReplacedOauthToken } from './replaced-oauth-token.entity.js';
import { cleanUp, deletionOf } from '../../../platform/jobs/batches.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';

/** Twice the lifetime of a refresh token, so that a long-expired token does not count as stolen. */
const REPLACED_KEPT_MS = 60 * 86_400_000;

/** A grant in a person's list. */
export interface ListedGrant extends Pick<
  OauthGrant,
  | 'id'
  | 'projectId'
  | 'clientId'
  | 'clientName'
  | 'redirectUri'
  | 'scopes'
  | 'createdAt'
  | 'lastUsedAt'
  | 'expiresAt'
> {
  projectName: string;
}

/** The grant of an access token. */
export interface UsedGrant extends OauthTokenGrant {
  generation: number;
  generationUsedAt: Date | null;
}

export type GrantKey = Pick<OauthGrant, 'projectId' | 'id'>;

const columns = `g.project_id AS "projectId", g.id, g.user_id AS "userId", g.client_id AS "clientId",
  g.client_name AS "clientName", g.redirect_uri AS "redirectUri", g.scopes, g.audience,
  g.session_method AS "sessionMethod", g.session_org_id AS "sessionOrgId", g.code_challenge AS "codeChallenge", g.code_used_at AS "codeUsedAt",
  g.access_hash AS "accessHash", g.access_scopes AS "accessScopes", g.access_expires_at AS "accessExpiresAt",
  g.refresh_hash AS "refreshHash", g.created_at AS "createdAt", g.last_used_at AS "lastUsedAt",
  g.expires_at AS "expiresAt", g.generation, g.generation_used_at AS "generationUsedAt"`;

const byRoute = `FROM oauth_grant_routes r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   JOIN oauth_grants g ON g.project_id = r.project_id AND g.id = r.grant_id`;

/** A transaction that waited for the lock reads the updated row. */
const lock = statement(
  'oauth_grants.lock',
  `SELECT ${columns} ${byRoute} WHERE r.token_hash = $1 AND r.kind = $2 FOR UPDATE OF g`,
);

const used = (scopes: string): string =>
  `SELECT g.project_id AS "projectId", g.user_id AS "userId", g.client_id AS "clientId", g.id AS "grantId",
     ${scopes} AS scopes, g.audience, g.session_org_id AS "ssoOrgId", g.generation,
     g.generation_used_at AS "generationUsedAt"`;

const findByAccess = statement(
  'oauth_grants.find_by_access',
  `${used('g.access_scopes')}
   ${byRoute} JOIN oauth_clients c ON c.id = g.client_id
   WHERE r.token_hash = $1 AND r.kind = 'access' AND g.access_hash = $1 AND g.access_expires_at > $2`,
);

const byRepeated = `FROM oauth_repeated_access_tokens t
   JOIN projects p ON p.id = t.project_id AND p.deleted_at IS NULL
   JOIN oauth_grants g ON g.project_id = t.project_id AND g.id = t.grant_id`;

const findByRepeatedAccess = statement(
  'oauth_repeated_access_tokens.find_grant',
  `${used('t.scopes')} ${byRepeated} JOIN oauth_clients c ON c.id = g.client_id
   WHERE t.token_hash = $1 AND t.expires_at > $2`,
);

const lockByRepeatedAccess = statement(
  'oauth_repeated_access_tokens.lock_grant',
  `SELECT ${columns} ${byRepeated} WHERE t.token_hash = $1 FOR UPDATE OF g`,
);

const markGenerationUsed = statement(
  'oauth_grants.mark_generation_used',
  `UPDATE oauth_grants SET generation_used_at = statement_timestamp()
   WHERE project_id = $1 AND id = $2 AND generation = $3 AND generation_used_at IS NULL`,
);

/** The token with hash $3 and those that replaced it, up to $4. */
const findReplaced = statement(
  'replaced_oauth_tokens.find',
  `SELECT t.generation, t.issued_at AS "issuedAt", ${replacedAgoMsSql('t.replaced_at')} AS "replacedAgoMs",
     t.sealed_successor AS "sealedSuccessor"
   FROM replaced_oauth_tokens p
   JOIN replaced_oauth_tokens t ON t.project_id = $1 AND t.grant_id = $2 AND t.generation >= p.generation
   WHERE p.project_id = $1 AND p.grant_id = $2 AND p.refresh_hash = $3
   ORDER BY t.generation LIMIT $4`,
);

const forgetSuccessors = statement(
  'replaced_oauth_tokens.forget_successors',
  `UPDATE replaced_oauth_tokens SET sealed_successor = NULL
   WHERE project_id = $1 AND grant_id = $2 AND ${isReplacedBeforeSql('replaced_at', '$3')} AND sealed_successor IS NOT NULL`,
);

const deleteOldReplaced = deletionOf('replaced_oauth_tokens.delete_old', {
  table: 'replaced_oauth_tokens',
  key: ['project_id', 'grant_id', 'generation'],
  isOld: (row) => `${row}.issued_at <= $1`,
  orderBy: 'issued_at',
});

const route = statement(
  'oauth_grant_routes.set',
  `INSERT INTO oauth_grant_routes (project_id, grant_id, kind, token_hash) VALUES ($1, $2, $3, $4)
   ON CONFLICT (project_id, grant_id, kind) DO UPDATE SET token_hash = excluded.token_hash`,
);

const listed = `SELECT g.id, g.project_id AS "projectId", p.name AS "projectName", g.client_id AS "clientId",
     g.client_name AS "clientName", g.redirect_uri AS "redirectUri", g.scopes, g.created_at AS "createdAt",
     g.last_used_at AS "lastUsedAt", g.expires_at AS "expiresAt"
   FROM oauth_grants g JOIN projects p ON p.id = g.project_id AND p.deleted_at IS NULL
   WHERE g.user_id = $1 AND g.expires_at > $2 AND g.code_used_at IS NOT NULL`;

const page = statement(
  'oauth_grants.page_of_user',
  `${listed} AND ($3::timestamptz IS NULL OR (g.created_at, g.id) < ($3, $4::text))
   ORDER BY g.created_at DESC, g.id DESC
   LIMIT $5`,
);

const findOfUser = statement('oauth_grants.find_of_user', `${listed} AND g.id = $3`);

const newestOfClient = statement(
  'oauth_grants.newest_of_client',
  `${listed} AND g.client_id = $3 ORDER BY g.created_at DESC, g.id DESC LIMIT 1`,
);

const deleteOfUser = statement(
  'oauth_grants.delete_of_user',
  `DELETE FROM oauth_grants WHERE user_id = $1 RETURNING project_id AS "projectId", id`,
);

const deleteExpired = deletionOf('oauth_grants.delete_expired', {
  table: 'oauth_grants',
  key: ['project_id', 'id'],
  isOld: (row) => `${row}.expires_at <= $1`,
  orderBy: 'expires_at',
});

@Injectable()
export class GrantsRepository {
  constructor(
    @InjectRepository(OauthGrant) private readonly grants: Repository<OauthGrant>,
    @InjectRepository(ReplacedOauthToken) private readonly replaced: Repository<ReplacedOauthToken>,
    @InjectRepository(RepeatedAccessToken) private readonly repeated: Repository<RepeatedAccessToken>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, grant: OauthGrant, codeHash: Buffer): Promise<void> {
    await onTransaction(this.grants, tx).insert(grant);
    await this.setRoute(tx, grant, 'code', codeHash);
  }

  async setRoute(
    tx: Transaction,
    { projectId, id }: GrantKey,
    kind: GrantSecret,
    hash: Buffer,
  ): Promise<void> {
    await tx.query(route, [projectId, id, kind, hash]);
  }

  /** Locks the grant of a code, an access token or a family of refresh tokens. Returns null if it has ended. */
  async lock(tx: Transaction, kind: GrantSecret, hash: Buffer): Promise<OauthGrant | null> {
    const [grant] = await tx.query<OauthGrant>(lock, [hash, kind]);
    if (grant || kind !== 'access') return grant ?? null;
    return (await tx.query<OauthGrant>(lockByRepeatedAccess, [hash]))[0] ?? null;
  }

  async addReplaced(tx: Transaction, token: Omit<ReplacedOauthToken, 'replacedAt'>): Promise<void> {
    await onTransaction(this.replaced, tx).insert({ ...token, replacedAt: () => replacedAtSql });
  }

  /** Returns the replaced token and its replacements, oldest first, up to `limit`; empty if it is unknown. */
  findReplaced(
    tx: Transaction,
    { projectId, id }: GrantKey,
    refreshHash: Buffer,
    limit: number,
  ): Promise<ReplacedToken[]> {
    return tx.query<ReplacedToken>(findReplaced, [projectId, id, refreshHash, limit]);
  }

  /** Clears the successors of tokens that were replaced longer ago than `graceMs`. */
  async forgetSuccessors(tx: Transaction, { projectId, id }: GrantKey, graceMs: number): Promise<void> {
    await tx.query(forgetSuccessors, [projectId, id, graceMs]);
  }

  async addRepeatedAccess(tx: Transaction, token: RepeatedAccessToken): Promise<void> {
    await onTransaction(this.repeated, tx).insert(token);
  }

  async deleteRepeatedAccess(tx: Transaction, { projectId, id }: GrantKey): Promise<void> {
    await onTransaction(this.repeated, tx).delete({ projectId, grantId: id });
  }

  /** Runs once per refresh token. */
  async markGenerationUsed({ projectId, grantId, generation }: UsedGrant): Promise<void> {
    await this.database.query(markGenerationUsed, [projectId, grantId, generation]);
  }

  @Cleanup('oauth_cleanup', REPLACED_KEPT_MS)
  deleteOldReplaced(issuedUntil: Date): Promise<number> {
    return cleanUp(this.database, deleteOldReplaced, [issuedUntil]);
  }

  async update(tx: Transaction, { projectId, id }: GrantKey, changes: Partial<OauthGrant>): Promise<void> {
    await onTransaction(this.grants, tx).update({ projectId, id }, changes);
  }

  /** Returns null for an unknown, replaced or expired access token, or if its client was deleted. */
  async findByAccess(hash: Buffer, now: Date): Promise<UsedGrant | null> {
    const [grant] = await this.database.query<UsedGrant>(findByAccess, [hash, now]);
    return grant ?? (await this.database.query<UsedGrant>(findByRepeatedAccess, [hash, now]))[0] ?? null;
  }

  /** Returns up to `limit + 1` grants that clients use, newest first. */
  page(userId: string, now: Date, { limit }: PageRequest, after: Place | null): Promise<ListedGrant[]> {
    return this.database.query(page, [userId, now, ...(after ?? [null, null]), limit + 1]);
  }

  async findOfUser(userId: string, id: string, now: Date): Promise<ListedGrant | null> {
    return (await this.database.query<ListedGrant>(findOfUser, [userId, now, id]))[0] ?? null;
  }

  async newestOfClient(userId: string, clientId: string, now: Date): Promise<ListedGrant | null> {
    return (await this.database.query<ListedGrant>(newestOfClient, [userId, now, clientId]))[0] ?? null;
  }

  /** Returns false if the grant has already ended. */
  async delete(tx: Transaction, { projectId, id }: GrantKey): Promise<boolean> {
    return (await onTransaction(this.grants, tx).delete({ projectId, id })).affected === 1;
  }

  deleteOfUser(tx: Transaction, userId: string): Promise<GrantKey[]> {
    return tx.query(deleteOfUser, [userId]);
  }

  @Cleanup('oauth_cleanup')
  deleteExpired(now: Date): Promise<number> {
    return cleanUp(this.database, deleteExpired, [now]);
  }
}
