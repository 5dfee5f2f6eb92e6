import type { UiConfigRefs } from '../../../libs/paywalls/index.js';
import type { RenewalSettings } from '../../../libs/stores/index.js';
import {
  compileTargeting,
  type ExperimentTerms,
  type Targeting,
  type TargetingRuleTerms,
} from '../../../libs/targeting/index.js';
import type { AppType } from '../../platform/principal/app-types.js';

export type ProductType =
  'subscription' | 'one_time' | 'consumable' | 'non_consumable' | 'non_renewing_subscription';

export type TransferBehavior = 'transfer' | 'transfer_if_no_active' | 'keep' | 'share';

/** Events of SDKs that a project stores. */
export type SdkEventsSetting = 'essential' | 'all' | 'off';

/** An app's commission terms with its store, where they differ from the standard ones. */
export interface CommissionAgreement {
  /** From this time on, sales have the rate of the store's small business program. */
  smallBusinessSinceMs: number | null;
  /** Agreed rate in basis points. */
  agreedBps: number | null;
}

export interface CatalogApp {
  id: string;
  type: AppType;
  name: string;
  /** Play Store and Amazon apps only. */
  packageName: string | null;
  /** True if all credentials needed to call the store are saved. */
  storeCanBeAsked: boolean;
  /** True if receipts posted with the public key are refused. */
  requiresSecretKey: boolean;
  commission: CommissionAgreement;
  /** Test Store apps only. */
  testStore: RenewalSettings | null;
  createdAtMs: number;
}

export interface TestStorePrice {
  amountMicros: number;
  /** ISO 4217. */
  currency: string;
}

export interface CatalogProduct {
  id: string;
  appId: string;
  storeIdentifier: string;
  type: ProductType;
  active: boolean;
  displayName: string | null;
  /** ISO 8601. */
  duration: string | null;
  trialDuration: string | null;
  gracePeriodDuration: string | null;
  /** The default price. */
  testStorePrice: TestStorePrice | null;
  /** All prices, by currency; empty without a default price. */
  testStorePrices: readonly TestStorePrice[];
  createdAtMs: number;
}

export interface CatalogEntitlement {
  id: string;
  lookupKey: string;
  displayName: string;
  active: boolean;
  createdAtMs: number;
}

export type EligibilityCriteria = 'all' | 'google_sdk_lt_6' | 'google_sdk_ge_6';

export interface CatalogPackage {
  id: string;
  lookupKey: string;
  products: { productId: string; eligibilityCriteria: EligibilityCriteria }[];
}

export interface CatalogOffering {
  id: string;
  lookupKey: string;
  displayName: string;
  isCurrent: boolean;
  active: boolean;
  metadata: Record<string, unknown> | null;
  packages: CatalogPackage[];
}

/** A published paywall. */
export interface CatalogPaywall {
  id: string;
  offeringId: string;
  /** Blob with its workflow. */
  ref: string;
}

export interface CurrencyGrant {
  productId: string;
  amount: number;
  /** Credited instead if the period is a free trial. */
  trialAmount: number;
  /** The unspent part is removed when the paid period ends. */
  expireAtCycleEnd: boolean;
}

export interface CatalogCurrency {
  code: string;
  name: string;
  description: string | null;
  active: boolean;
  grants: CurrencyGrant[];
}

export interface CatalogRows {
  version: number;
  transferBehavior: TransferBehavior;
  sandboxTransferBehavior: TransferBehavior | null;
  hasOfferingOverrides: boolean;
  hasImports: boolean;
  sdkEvents: SdkEventsSetting;
  apps: CatalogApp[];
  products: CatalogProduct[];
  entitlements: CatalogEntitlement[];
  productEntitlements: { productId: string; entitlementId: string }[];
  offerings: CatalogOffering[];
  /** Published ones, newest first. */
  paywalls: CatalogPaywall[];
  /** Blobs of what all paywalls share; null before the first one is published. */
  uiConfigRefs: UiConfigRefs | null;
  currencies: CatalogCurrency[];
  holdoutPercentage: number;
  /** Active and scheduled rules, in order. */
  targetingRules: TargetingRuleTerms[];
  /** All except drafts, by priority. */
  experiments: ExperimentTerms[];
}

/** Stores in which every price has its own id. */
const typesWithPrices: ReadonlySet<AppType> = new Set<AppType>(['stripe', 'paddle']);

/** One version of a project's whole catalog, with the lookups that purchases and SDK answers need. Immutable. */
export class Catalog {
  readonly products: ReadonlyMap<string, CatalogProduct>;
  readonly entitlements: ReadonlyMap<string, CatalogEntitlement>;
  readonly apps: ReadonlyMap<string, CatalogApp>;
  readonly offerings: ReadonlyMap<string, CatalogOffering>;
  /** Published paywalls by offering, newest first. */
  readonly paywalls: ReadonlyMap<string, CatalogPaywall>;
  /** Published paywalls of active offerings, which SDKs receive, newest first. */
  readonly servedPaywalls: readonly CatalogPaywall[];
  /** Virtual currencies, oldest first. */
  readonly currencies: readonly CatalogCurrency[];
  /** Started experiments by priority, including stopped ones. */
  readonly experiments: readonly ExperimentTerms[];
  /** Rules and experiments that decide which offering a customer sees. */
  readonly targeting: Targeting;
  private readonly byStoreIdentifier = new Map<string, CatalogProduct>();
  private readonly entitlementsOfProduct = new Map<string, CatalogEntitlement[]>();

  constructor(
    readonly projectId: string,
    private readonly rows: CatalogRows,
  ) {
    this.apps = new Map(rows.apps.map((app) => [app.id, app]));
    this.products = new Map(rows.products.map((product) => [product.id, product]));
    this.entitlements = new Map(rows.entitlements.map((entitlement) => [entitlement.id, entitlement]));
    this.offerings = new Map(rows.offerings.map((offering) => [offering.id, offering]));
    this.paywalls = new Map(rows.paywalls.map((paywall) => [paywall.offeringId, paywall]));
    this.servedPaywalls = rows.paywalls.filter(({ offeringId }) => this.offerings.get(offeringId)?.active);
    this.currencies = rows.currencies;
    this.experiments = rows.experiments;
    this.targeting = compileTargeting(projectId, {
      holdoutPercentage: rows.holdoutPercentage,
      rules: rows.targetingRules,
      experiments: rows.experiments,
    });
    for (const product of rows.products) {
      this.byStoreIdentifier.set(`${product.appId}\n${product.storeIdentifier}`, product);
    }
    for (const { productId, entitlementId } of rows.productEntitlements) {
      const entitlement = this.entitlements.get(entitlementId);
      if (!entitlement) continue;
      this.entitlementsOfProduct.set(productId, [
        ...(this.entitlementsOfProduct.get(productId) ?? []),
        entitlement,
      ]);
    }
  }

  /** Rises with every change of the catalog or of the project's settings. */
  get version(): number {
    return this.rows.version;
  }

  /** True if any customer has, or had, their own current offering. */
  get hasOfferingOverrides(): boolean {
    return this.rows.hasOfferingOverrides;
  }

  /** True if customers were imported; the store may know some of their subscriptions under other keys. */
  get hasImports(): boolean {
    return this.rows.hasImports;
  }

  get uiConfigRefs(): UiConfigRefs | null {
    return this.rows.uiConfigRefs;
  }

  get sdkEvents(): SdkEventsSetting {
    return this.rows.sdkEvents;
  }

  /** The default offering of customers; undefined if none is both current and active. */
  get currentOffering(): CatalogOffering | undefined {
    return this.rows.offerings.find(({ isCurrent, active }) => isCurrent && active);
  }

  /** Finds by id or lookup key. */
  findEntitlement(name: string): CatalogEntitlement | undefined {
    return (
      this.entitlements.get(name) ??
      [...this.entitlements.values()].find(({ lookupKey }) => lookupKey === name)
    );
  }

  /** Finds by id or lookup key. */
  findOffering(name: string): CatalogOffering | undefined {
    return (
      this.offerings.get(name) ?? [...this.offerings.values()].find(({ lookupKey }) => lookupKey === name)
    );
  }

  /** The published paywall of an offering, found by id or lookup key. */
  paywallOf(offering: string): CatalogPaywall | undefined {
    return this.paywalls.get(this.findOffering(offering)?.id ?? '');
  }

  /** Finds a product of an app by its id or by its id in the store. */
  findProduct(appId: string, name: string): CatalogProduct | undefined {
    const byId = this.products.get(name);
    return byId?.appId === appId ? byId : this.productOf(appId, name);
  }

  commissionAgreement(appId: string | null): CommissionAgreement | null {
    return this.apps.get(appId ?? '')?.commission ?? null;
  }

  /** Whether there are credentials to call the store of an app; false for grants and for deleted apps. */
  storeCanBeAsked(appId: string | null): boolean {
    return this.apps.get(appId ?? '')?.storeCanBeAsked ?? false;
  }

  transferBehavior(environment: 'production' | 'sandbox'): TransferBehavior {
    const sandbox = environment === 'sandbox' ? this.rows.sandboxTransferBehavior : null;
    return sandbox ?? this.rows.transferBehavior;
  }

  /**
   * Returns the product of a store purchase; undefined if it is not in the catalog (yet). A plan of a subscription
   * (`subscription:plan`, or the price id where prices have their own) takes precedence over the whole subscription.
   */
  productOf(
    appId: string | null,
    storeIdentifier: string | null,
    planId: string | null = null,
  ): CatalogProduct | undefined {
    const plan = planId === null ? undefined : this.planOf(appId, storeIdentifier, planId);
    return plan ?? this.byStoreIdentifier.get(`${appId}\n${storeIdentifier}`);
  }

  /** Whether an app has a product of that name; a Google subscription also matches by its name without a plan. */
  hasProduct(appId: string, storeIdentifier: string): boolean {
    return this.productsOfApp(appId).some(
      (product) =>
        product.storeIdentifier === storeIdentifier ||
        product.storeIdentifier.startsWith(`${storeIdentifier}:`),
    );
  }

  private planOf(
    appId: string | null,
    storeIdentifier: string | null,
    planId: string,
  ): CatalogProduct | undefined {
    const type = this.apps.get(appId ?? '')?.type;
    const name = type !== undefined && typesWithPrices.has(type) ? planId : `${storeIdentifier}:${planId}`;
    return this.byStoreIdentifier.get(`${appId}\n${name}`);
  }

  /** Entitlements that a product unlocks, including archived ones: customers keep what they bought. */
  entitlementsOf(productId: string): readonly CatalogEntitlement[] {
    return this.entitlementsOfProduct.get(productId) ?? [];
  }

  /** Credits from a purchase of a product, in active currencies. */
  currencyGrantsOf(productId: string): { currency: CatalogCurrency; grant: CurrencyGrant }[] {
    return this.currencies
      .filter(({ active }) => active)
      .flatMap((currency) =>
        currency.grants
          .filter((grant) => grant.productId === productId)
          .map((grant) => ({ currency, grant })),
      );
  }

  productsOfApp(appId: string): CatalogProduct[] {
    return this.rows.products.filter((product) => product.appId === appId);
  }
}
