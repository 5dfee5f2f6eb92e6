import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { statement } from '../../platform/database/statement.js';
import { defaultRenewals } from '../../../libs/stores/index.js';
import type { App } from '../apps/app.entity.js';
import { credentialsConfigured } from '../apps/credentials.js';
import {
  Catalog,
  type CatalogApp,
  type CatalogProduct,
  type CatalogRows,
  type TestStorePrice,
} from './catalog.model.js';
import { currentPrices } from './test-store-prices.policy.js';

const renewals = `json_build_object(
  'renewalMode', coalesce(store_settings ->> 'renewal_mode', '${defaultRenewals.renewalMode}'),
  'maxRenewals', coalesce((store_settings ->> 'max_renewals')::int, ${defaultRenewals.maxRenewals}))`;

const commission = `json_build_object(
  'smallBusinessSinceMs', (store_settings ->> 'small_business_since')::bigint,
  'agreedBps', round(coalesce(store_settings ->> 'commission_rate', store_settings ->> 'one_time_rate')::numeric
    * 10000)::int)`;

/** Names of an app's credentials, without their values. */
const credentialNames = `(SELECT coalesce(json_object_agg(name, ''), '{}') FROM json_object_keys(sealed_credentials) AS name)`;

/** One statement, so that all parts have the same version. */
const loadCatalog = statement(
  'catalog.load',
  `SELECT p.catalog_version AS version,
     p.transfer_behavior AS "transferBehavior",
     p.sandbox_transfer_behavior AS "sandboxTransferBehavior",
     p.has_offering_overrides AS "hasOfferingOverrides",
     p.has_imports AS "hasImports",
     (SELECT coalesce(json_agg(json_build_object('id', id, 'type', type, 'name', name,
        'packageName', store_settings ->> 'package_name', 'sealedCredentials', ${credentialNames},
        'requiresSecretKey', coalesce((store_settings ->> 'require_secret_key_for_receipts')::boolean, false),
        'commission', ${commission}, 'testStore', CASE type WHEN 'test_store' THEN ${renewals} END,
        'createdAtMs', ${epochMs('created_at')}) ORDER BY created_at, id), '[]')
      FROM apps WHERE project_id = $1) AS apps,
     (SELECT coalesce(json_agg(json_build_object('id', id, 'appId', app_id, 'storeIdentifier', store_identifier,
        'type', type, 'active', state = 'active', 'displayName', display_name, 'duration', duration,
        'trialDuration', trial_duration, 'gracePeriodDuration', grace_period_duration,
        'testStorePrice', CASE WHEN test_store_price_micros IS NULL THEN NULL ELSE
          json_build_object('amountMicros', test_store_price_micros, 'currency', test_store_price_currency) END,
        'storedPrices', (SELECT coalesce(json_agg(json_build_object('amountMicros', t.micros, 'currency', t.currency)),
           '[]') FROM product_prices t WHERE t.project_id = $1 AND t.product_id = products.id),
        'createdAtMs', ${epochMs('created_at')}) ORDER BY created_at, id), '[]')
      FROM products WHERE project_id = $1) AS products,
     (SELECT coalesce(json_agg(json_build_object('id', id, 'lookupKey', lookup_key, 'displayName', display_name,
        'active', state = 'active', 'createdAtMs', ${epochMs('created_at')}) ORDER BY created_at, id), '[]')
      FROM entitlements WHERE project_id = $1) AS entitlements,
     (SELECT coalesce(json_agg(json_build_object('productId', product_id, 'entitlementId', entitlement_id)
        ORDER BY entitlement_id, product_id), '[]')
      FROM product_entitlements WHERE project_id = $1) AS "productEntitlements",
     (SELECT coalesce(json_agg(json_build_object('id', o.id, 'lookupKey', o.lookup_key,
        'displayName', o.display_name, 'isCurrent', o.is_current, 'active', o.state = 'active',
        'metadata', o.metadata, 'packages',
        (SELECT coalesce(json_agg(json_build_object('id', k.id, 'lookupKey', k.lookup_key, 'products',
           (SELECT coalesce(json_agg(json_build_object('productId', pp.product_id,
              'eligibilityCriteria', pp.eligibility_criteria) ORDER BY pp.created_at, pp.product_id), '[]')
            FROM package_products pp WHERE pp.project_id = $1 AND pp.package_id = k.id))
           ORDER BY k.position, k.created_at, k.id), '[]')
         FROM packages k WHERE k.project_id = $1 AND k.offering_id = o.id))
        ORDER BY o.created_at, o.id), '[]')
      FROM offerings o WHERE o.project_id = $1) AS offerings,
     (SELECT coalesce(json_agg(json_build_object('id', w.id, 'offeringId', w.published_offering_id,
        'ref', w.published_ref) ORDER BY w.published_at DESC, w.id), '[]')
      FROM paywalls w WHERE w.project_id = $1 AND w.published_revision IS NOT NULL) AS paywalls,
     (SELECT s.ui_config_refs FROM paywall_settings s WHERE s.project_id = $1) AS "uiConfigRefs",
     (SELECT coalesce(json_agg(json_build_object('code', v.code, 'name', v.name, 'description', v.description,
        'active', v.state = 'active', 'grants',
        (SELECT coalesce(json_agg(json_build_object('productId', g.product_id, 'amount', g.amount,
           'trialAmount', g.trial_amount, 'expireAtCycleEnd', g.expire_at_cycle_end)
           ORDER BY g.position, g.product_id), '[]')
         FROM virtual_currency_grants g WHERE g.project_id = $1 AND g.code = v.code))
        ORDER BY v.created_at, v.code), '[]')
      FROM virtual_currencies v WHERE v.project_id = $1) AS currencies,
     p.experiment_holdout_percentage AS "holdoutPercentage", p.sdk_events AS "sdkEvents",
     (SELECT coalesce(json_agg(json_build_object('id', r.id, 'state', r.state, 'offeringId', r.offering_id,
        'schedule', CASE WHEN r.starts_at IS NOT NULL THEN json_build_object(
          'startsAtMs', ${epochMs('r.starts_at')}, 'endsAtMs', ${epochMs('r.ends_at')}) END,
        'conditions', r.conditions, 'placements', r.placements, 'revision', r.revision) ORDER BY r.position, r.id), '[]')
      FROM targeting_rules r WHERE r.project_id = $1 AND r.state <> 'inactive') AS "targetingRules",
     (SELECT coalesce(json_agg(json_build_object('id', e.id, 'displayName', e.display_name, 'status', e.status,
        'offerings', e.offerings, 'enrollmentPercentage', e.enrollment_percentage,
        'enrollmentMode', e.enrollment_mode, 'weights', e.weights, 'conditions', e.conditions,
        'placements', e.placements, 'startedAtMs', ${epochMs('e.started_at')}) ORDER BY e.priority, e.id), '[]')
      FROM experiments e WHERE e.project_id = $1 AND e.status <> 'draft') AS experiments
   FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL`,
);

const loadVersion = statement(
  'catalog.version',
  `SELECT catalog_version AS version FROM projects WHERE id = $1`,
);

type LoadedApp = Omit<CatalogApp, 'storeCanBeAsked'> & Pick<App, 'sealedCredentials'>;
type LoadedProduct = Omit<CatalogProduct, 'testStorePrices'> & { storedPrices: TestStorePrice[] };
type LoadedRows = Omit<CatalogRows, 'apps' | 'products'> & { apps: LoadedApp[]; products: LoadedProduct[] };

@Injectable()
export class CatalogRepository {
  constructor(private readonly database: DatabaseService) {}

  async load(projectId: string): Promise<Catalog | null> {
    const [rows] = await this.database.query<LoadedRows>(loadCatalog, [projectId]);
    if (!rows) return null;
    const apps = rows.apps.map(({ sealedCredentials, ...app }) => ({
      ...app,
      storeCanBeAsked: credentialsConfigured({ type: app.type, sealedCredentials }),
    }));
    const products = rows.products.map(({ storedPrices, ...product }) => ({
      ...product,
      testStorePrices: currentPrices(product.testStorePrice, storedPrices),
    }));
    return new Catalog(projectId, { ...rows, apps, products });
  }

  /** Null if there is no such project. */
  async version(projectId: string): Promise<number | null> {
    const [row] = await this.database.query<{ version: number }>(loadVersion, [projectId]);
    return row?.version ?? null;
  }
}
