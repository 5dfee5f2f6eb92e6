import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { MAX_EXTERNAL_TOKEN, readExternalPurchaseToken } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/identity/customers.service.js';
import type { Device } from '../../customers/customers/last-seen/device.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import type { ExternalPurchaseTokenEntity, ExternalTokenKind } from './external-purchase-token.entity.js';
import { ExternalPurchaseTokensRepository } from './external-purchase-tokens.repository.js';
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

/** SDKs retry only after a 429, so these are the only limits. */
const perAddress: RateLimit = { name: 'external_tokens_address', max: 30, windowMs: 60_000 };
const perCustomer: RateLimit = { name: 'external_tokens_customer', max: 200, windowMs: 24 * 3_600_000 };

const OWN_ID = /^ept[0-9a-f]{32}$/;

function kindOf(purchaseType: unknown): ExternalTokenKind | null {
  return purchaseType === 'IN_APP' || purchaseType === 'LINK_OUT' ? purchaseType : null;
}

function textOf(token: unknown): string | null {
  if (token === undefined || token === null || token === '') return null;
  return typeof token === 'string' ? token : JSON.stringify(token);
}

/** The longest prefix within the limit that ends with a complete character. */
function firstBytes(text: string): string {
  return Buffer.from(text)
    .subarray(0, MAX_EXTERNAL_TOKEN)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}

type Content = Pick<
  ExternalPurchaseTokenEntity,
  'kind' | 'environment' | 'externalPurchaseId' | 'tokenCreatedAt' | 'tokenExpiresAt' | 'state'
>;

function contentOf(text: string | null, kind: ExternalTokenKind | null, { storeSettings }: App): Content {
  const nothing = {
    kind,
    environment: 'production' as const,
    externalPurchaseId: null,
    tokenCreatedAt: null,
    tokenExpiresAt: null,
  };
  if (text === null) return { ...nothing, state: 'open' };
  const read = readExternalPurchaseToken(text);
  if (read === null) return { ...nothing, state: 'unreadable' };
  const { bundle_id: bundleId, app_apple_id: appAppleId } = storeSettings;
  const isOwn =
    read.bundleId === bundleId && (appAppleId === undefined || read.appAppleId === Number(appAppleId));
  return {
    kind: read.type ?? kind,
    environment: read.environment,
    // Another app's token must not occupy the id of this app's token.
    externalPurchaseId: isOwn ? read.externalPurchaseId : null,
    tokenCreatedAt: read.createdAtMs === null ? null : new Date(read.createdAtMs),
    tokenExpiresAt: read.expiresAtMs === null ? null : new Date(read.expiresAtMs),
    state: isOwn ? 'open' : 'foreign',
  };
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
    private readonly database: DatabaseService,
    private readonly log: LogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the token's id; for a known token, the existing id. @throws ApiError 429 */
  async store(posted: PostedToken): Promise<string> {
    const { projectId, appId, appUserId, device, address } = posted;
    await this.limits.count([perAddress, address], [perCustomer, `${projectId}:${appUserId}`]);
    const app = await this.apps.get(projectId, appId);
    const text = textOf(posted.token);
    const content = contentOf(text, kindOf(posted.purchaseType), app);
    const isNamed = typeof posted.id === 'string' && OWN_ID.test(posted.id);
    const id = isNamed ? (posted.id as string) : `ept${randomUUID().replaceAll('-', '')}`;
    const nowMs = this.clock.nowMs();
    return this.database.transaction(async (tx) => {
      const wanted = { appUserIds: [appUserId] };
      const found = await this.customers.lockOrCreate(tx, projectId, { appUserId, device }, wanted, nowMs);
      const customer = [found.customer, ...found.others].find((row) => hasAppUserId(row, appUserId));
      const token: ExternalPurchaseTokenEntity = {
        ...content,
        projectId,
        id,
        appId,
        store: 'apple',
        sealedToken:
          text === null ? null : this.secrets.seal(firstBytes(text), externalTokenPlace(projectId, id)),
        customerId: customer?.id ?? null,
        createdAt: new Date(nowMs),
      };
      if (await this.repository.insert(tx, token)) return id;
      const known = await this.repository.find(tx, token);
      if (!known) return id;
      const isSame =
        known.customerId === token.customerId && known.externalPurchaseId === token.externalPurchaseId;
      if (!isSame)
        this.log.warn({ projectId, appId, id: known.id }, 'an external purchase token was posted twice');
      return known.id;
    });
  }
}
