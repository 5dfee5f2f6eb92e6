import { Injectable } from '@nestjs/common';
import type { Store } from '../../../libs/engine/index.js';
import { customerIdOf, ownerOf } from '../../customers/customers/identity/customer-names.sql.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { BoundBy } from './external-purchase-binding.entity.js';
import type { ExternalPurchaseTokenEntity, ExternalTokenState } from './external-purchase-token.entity.js';

const insert = statement(
  'external_purchase_tokens.insert',
  `INSERT INTO external_purchase_tokens (project_id, id, app_id, store, kind, environment, external_purchase_id,
     sealed_token, customer_id, token_created_at, token_expires_at, created_at, state)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   ON CONFLICT DO NOTHING RETURNING id`,
);

const find = statement(
  'external_purchase_tokens.find',
  `SELECT id, app_id AS "appId", external_purchase_id AS "externalPurchaseId", customer_id AS "customerId"
   FROM external_purchase_tokens
   WHERE project_id = $1 AND (id = $2 OR (app_id = $3 AND external_purchase_id = $4))
   ORDER BY id <> $2, id LIMIT 1`,
);

const sealedToken = statement(
  'external_purchase_tokens.sealed_token',
  `SELECT sealed_token AS "sealedToken" FROM external_purchase_tokens WHERE project_id = $1 AND id = $2`,
);

const refuse = statement(
  'external_purchase_tokens.refuse',
  `UPDATE external_purchase_tokens SET state = 'refused' WHERE project_id = $1 AND id = $2`,
);

export type KnownToken = Pick<
  ExternalPurchaseTokenEntity,
  'id' | 'appId' | 'externalPurchaseId' | 'customerId'
>;

export interface ShownBinding {
  store: Store;
  purchaseKey: string;
  boundBy: BoundBy;
  boundAtMs: number;
}

/** A token as the API shows it. The token itself stays sealed. */
export type ShownToken = Omit<ExternalPurchaseTokenEntity, 'projectId' | 'sealedToken' | 'customerId'> & {
  /** Original app user id; null if the customer was deleted. */
  customerAppUserId: string | null;
  /** Earliest first. */
  bindings: ShownBinding[];
};

/** Null fields do not filter. */
export interface TokenFilter {
  state: ExternalTokenState | null;
  appId: string | null;
  /** Any app user id of a customer. */
  customer: string | null;
}

const columns = `t.id, t.app_id AS "appId", t.store, t.kind, t.environment, t.external_purchase_id AS "externalPurchaseId",
  c.original_app_user_id AS "customerAppUserId", t.token_created_at AS "tokenCreatedAt",
  t.token_expires_at AS "tokenExpiresAt", t.created_at AS "createdAt", t.state, b.bindings`;

/** The purchases that are bound to a token `t` ($1: project). */
const withBindings = `
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(json_build_object('store', b.store, 'purchaseKey', b.purchase_key, 'boundBy', b.bound_by,
      'boundAtMs', ${epochMs('b.bound_at')}) ORDER BY b.bound_at, b.purchase_key), '[]') AS bindings
    FROM external_purchase_bindings b WHERE b.project_id = $1 AND b.token_id = t.id) b`;

const get = statement(
  'external_purchase_tokens.get',
  `SELECT ${columns} FROM external_purchase_tokens t ${ownerOf('t')} ${withBindings}
   WHERE t.project_id = $1 AND t.id = $2`,
);

const order = ['t.created_at', 't.id'];
const sorting = order.map((column) => `${column} DESC`).join(', ');

function filtered(narrowing: Narrowing, { state, appId, customer }: TokenFilter): string {
  return (
    narrowing.when('state', state, (value) => `t.state = ${value}`) +
    narrowing.when('app', appId, (value) => `t.app_id = ${value}`) +
    narrowing.when('customer', customer, (value) => `t.customer_id = ${customerIdOf(value)}`)
  );
}

@Injectable()
export class ExternalPurchaseTokensRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns false if the id or the store's id is already known. */
  async insert(tx: Transaction, token: ExternalPurchaseTokenEntity): Promise<boolean> {
    const { projectId, id, appId, store, kind, environment, externalPurchaseId } = token;
    const { sealedToken, customerId, tokenCreatedAt, tokenExpiresAt, createdAt, state } = token;
    const values = [projectId, id, appId, store, kind, environment, externalPurchaseId, sealedToken];
    const rows = await tx.query(insert, [
      ...values,
      customerId,
      tokenCreatedAt,
      tokenExpiresAt,
      createdAt,
      state,
    ]);
    return rows.length > 0;
  }

  /** Finds a token by its own id, or else by the store's id. */
  async find(
    tx: Transaction,
    { projectId, id, appId, externalPurchaseId }: Omit<KnownToken, 'customerId'> & { projectId: string },
  ): Promise<KnownToken | null> {
    return (await tx.query<KnownToken>(find, [projectId, id, appId, externalPurchaseId]))[0] ?? null;
  }

  async sealedToken(projectId: string, id: string): Promise<string | null> {
    const [row] = await this.database.query<{ sealedToken: string | null }>(sealedToken, [projectId, id]);
    return row?.sealedToken ?? null;
  }

  async refuse(projectId: string, id: string): Promise<void> {
    await this.database.query(refuse, [projectId, id]);
  }

  async get(projectId: string, id: string, executor: Executor = this.database): Promise<ShownToken | null> {
    return (await executor.query<ShownToken>(get, [projectId, id]))[0] ?? null;
  }

  /** The position of a token in the list, or null if the list does not contain it. */
  async placeOf(projectId: string, filter: TokenFilter, id: string): Promise<Place | null> {
    const narrowing = new Narrowing('external_purchase_tokens.place', [projectId, id]);
    const text = `SELECT t.created_at AS "createdAt" FROM external_purchase_tokens t
      WHERE t.project_id = $1 AND t.id = $2${filtered(narrowing, filter)}`;
    const [row] = await this.database.query<{ createdAt: Date }>(narrowing.statement(text), narrowing.values);
    return row ? [row.createdAt, id] : null;
  }

  /** Newest first. */
  page(
    projectId: string,
    filter: TokenFilter,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<ShownToken[]> {
    const narrowing = new Narrowing('external_purchase_tokens.page', [projectId, limit + 1]);
    const conditions = filtered(narrowing, filter) + narrowing.behind(order, after);
    const text = `SELECT ${columns} FROM (
        SELECT t.* FROM external_purchase_tokens t WHERE t.project_id = $1${conditions}
        ORDER BY ${sorting} LIMIT $2) t
      ${ownerOf('t')} ${withBindings} ORDER BY ${sorting}`;
    return this.database.query(narrowing.statement(text), narrowing.values);
  }
}
