import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/identity/customers.service.js';
import type { Device } from '../../customers/customers/last-seen/device.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { LogService } from '../../platform/observability/log.service.js';
import type { AppType } from '../../platform/principal/app-types.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { ExternalPurchaseMetrics } from './external-purchase.metrics.js';
import type {
  ExternalPurchaseTokenEntity,
  ExternalTokenKind,
  ExternalTokenStore,
} from './external-purchase-token.entity.js';
import {
  ExternalPurchaseTokensRepository,
  type KnownToken,
  type ShownToken,
  type TokenFilter,
} from './external-purchase-tokens.repository.js';
import {
  appleTokenContent,
  firstBytes,
  newTokenId,
  opaqueContent,
  type TokenContent,
} from './external-token-content.js';
import { externalTokenPlace } from './secret-places.js';

export interface PostedToken {
  projectId: string;
  appId: string;
  appUserId: string;
  device: Device | null;
  /** Address of the caller. */
  address: string;
  /** Values that the SDK sent; none of them is verified. */
  id: unknown;
  token: unknown;
  purchaseType: unknown;
}

/** A token that a backend received from its app. */
export interface BackendToken {
  appUserId: string;
  appId: string;
  store: ExternalTokenStore;
  token: string;
  kind: ExternalTokenKind | null;
}

/** SDKs retry only after a 429, so these are the only limits. */
const perAddress: RateLimit = { name: 'external_tokens_address', max: 30, windowMs: 60_000 };
const perCustomer: RateLimit = { name: 'external_tokens_customer', max: 200, windowMs: 24 * 3_600_000 };

const OWN_ID = /^ept[0-9a-f]{32}$/;

const storeOfApps: Partial<Record<AppType, ExternalTokenStore>> = {
  app_store: 'apple',
  mac_app_store: 'apple',
  play_store: 'google',
};

function kindOf(purchaseType: unknown): ExternalTokenKind | null {
  return purchaseType === 'IN_APP' || purchaseType === 'LINK_OUT' ? purchaseType : null;
}

function textOf(token: unknown): string | null {
  if (token === undefined || token === null || token === '') return null;
  return typeof token === 'string' ? token : JSON.stringify(token);
}

/** Stores the tokens of purchases outside a store. SDKs drop refused tokens, but every token must be reported. */
@Injectable()
export class ExternalPurchaseTokensService {
  constructor(
    private readonly repository: ExternalPurchaseTokensRepository,
    private readonly customers: CustomersService,
    private readonly apps: AppsService,
    private readonly secrets: SecretsService,
    private readonly limits: RateLimiterService,
    private readonly writes: ProjectWritesService,
    private readonly metrics: ExternalPurchaseMetrics,
    private readonly database: DatabaseService,
    private readonly log: LogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the token's id; for a known token, the existing id. @throws ApiError 429 */
  async store(posted: PostedToken): Promise<string> {
    const { projectId, appId, appUserId, device, address } = posted;
    await this.limits.count([perAddress, address], [perCustomer, `${projectId}:${appUserId}`]);
    const { storeSettings } = await this.apps.get(projectId, appId);
    const text = textOf(posted.token);
    const kind = kindOf(posted.purchaseType);
    const content = text === null ? opaqueContent(kind) : appleTokenContent(text, kind, storeSettings);
    const isNamed = typeof posted.id === 'string' && OWN_ID.test(posted.id);
    const id = isNamed ? (posted.id as string) : newTokenId();
    const nowMs = this.clock.nowMs();
    return this.database.transaction(async (tx) => {
      const wanted = { appUserIds: [appUserId] };
      const found = await this.customers.lockOrCreate(tx, projectId, { appUserId, device }, wanted, nowMs);
      const customer = [found.customer, ...found.others].find((row) => hasAppUserId(row, appUserId));
      const place = { projectId, id, appId, store: 'apple', customerId: customer?.id ?? null } as const;
      const token = this.newToken(place, text, content, nowMs);
      if (await this.repository.insert(tx, token)) return id;
      const known = await this.repository.find(tx, token);
      if (!known) return id;
      if (!isSame(known, token)) {
        this.metrics.conflict('posted_twice');
        this.log.warn({ projectId, appId, id: known.id }, 'an external purchase token was posted twice');
      }
      return known.id;
    });
  }

  /**
   * Stores a token for an existing customer; a known token of the customer stays as it is.
   * @throws ApiError 400 for a token of another store or app, 404, 409 for a token of another customer
   */
  async add(
    write: ProjectWrite,
    { appUserId, appId, store, token: text, kind }: BackendToken,
  ): Promise<ShownToken> {
    const { projectId } = write;
    const app = await this.apps.find(projectId, appId);
    if (!app) throw ApiError.missing('app', appId, 'app_id');
    if (storeOfApps[app.type] !== store) {
      throw ApiError.parameter('store', `store must be the store of the app, whose type is ${app.type}.`);
    }
    const content =
      store === 'google' ? opaqueContent(kind) : appleTokenContent(text, kind, app.storeSettings);
    if (content.state === 'unreadable') throw ApiError.parameter('token', 'token cannot be read.');
    if (content.state === 'foreign') throw ApiError.parameter('token', 'token belongs to another app.');
    const id = newTokenId();
    return this.writes.run(write, async (tx) => {
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      const place = { projectId, id, appId, store, customerId: customer.id };
      const token = this.newToken(place, text, content, tx.nowMs());
      const isNew = await this.repository.insert(tx, token);
      const known = isNew ? token : await this.repository.find(tx, token);
      if (known?.customerId !== customer.id) {
        throw ApiError.alreadyExists('token', 'The token belongs to another customer.');
      }
      await tx.audit({
        action: 'created',
        target: 'external_purchase_token',
        targetId: known.id,
        data: { app_id: appId, store, duplicate: !isNew },
      });
      return (await this.repository.get(projectId, known.id, tx)) as ShownToken;
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<ShownToken> {
    const token = await this.repository.get(projectId, id);
    if (!token) throw ApiError.missing('external purchase token', id);
    return token;
  }

  /** The token as its store issued it; null if only an id is known. */
  async secretOf(projectId: string, id: string): Promise<string | null> {
    const sealed = await this.repository.sealedToken(projectId, id);
    return sealed === null ? null : this.secrets.open(sealed, externalTokenPlace(projectId, id));
  }

  /** Records that the store does not know the token. Purchases can be bound to another one. */
  refuse(projectId: string, id: string): Promise<void> {
    return this.repository.refuse(projectId, id);
  }

  /** Up to `limit + 1` tokens, newest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, filter: TokenFilter, page: PageRequest): Promise<ShownToken[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(projectId, filter, id));
    return this.repository.page(projectId, filter, page, after);
  }

  private newToken(
    place: Pick<ExternalPurchaseTokenEntity, 'projectId' | 'id' | 'appId' | 'store' | 'customerId'>,
    text: string | null,
    content: TokenContent,
    nowMs: number,
  ): ExternalPurchaseTokenEntity {
    const { projectId, id } = place;
    const sealedToken =
      text === null ? null : this.secrets.seal(firstBytes(text), externalTokenPlace(projectId, id));
    return { ...content, ...place, sealedToken, createdAt: new Date(nowMs) };
  }
}

function isSame(known: KnownToken, token: ExternalPurchaseTokenEntity): boolean {
  return known.customerId === token.customerId && known.externalPurchaseId === token.externalPurchaseId;
}
