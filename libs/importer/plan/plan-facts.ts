import { HttpRefusal } from '../http/http-client.js';
import type { SourceApi } from '../source/source-api.js';
import type { TargetApi } from '../target/target-api.js';
import type { TargetApp } from '../target/target.model.js';
import type { PlanApp, PlanCurrency, PlanFacts } from './plan.model.js';

interface StoreSettings {
  notification_url?: string | null;
  notification_status?: string;
  notification_forward_url?: string | null;
  last_forward?: { status: number | null } | null;
  track_new_purchases?: boolean;
}

interface AppHealth {
  id: string;
  credentials_configured: boolean;
  credentials_error: { message: string } | null;
}

interface Currency {
  code: string;
  product_grants?: unknown[];
}

/** Data of the source that the plan compares. */
export interface SourceFacts {
  project: string;
  publicKeys: ReadonlySet<string>;
  appTypes: ReadonlySet<string>;
  currenciesWithGrants: ReadonlySet<string>;
}

export async function sourceFacts(source: SourceApi, project: string): Promise<SourceFacts> {
  const apps = await source.apps(project);
  const keys = await Promise.all(apps.map(({ id }) => source.publicKeys(project, id)));
  const currencies = await source.currencies(project);
  return {
    project,
    publicKeys: new Set(keys.flat().map(({ key }) => key)),
    appTypes: new Set(apps.map(({ type }) => type)),
    currenciesWithGrants: new Set(currencies.filter(hasGrants).map(({ code }) => code)),
  };
}

/** @throws ImportFailed if the target cannot be reached; facts without permission stay unknown */
export async function planFacts(
  target: TargetApi,
  url: string,
  source: SourceFacts | null,
): Promise<PlanFacts> {
  const apps = await target.apps();
  const health = await permitted(() => target.get('setup_health'));
  const healthOf = new Map(((health?.apps ?? []) as AppHealth[]).map((app) => [app.id, app]));
  const webhooks = await permitted(() => target.configured('integrations/webhooks'));
  const currencies = await permitted(() => target.configured<Currency>('virtual_currencies'));
  return {
    target: { url, project: target.project },
    sourceProject: source?.project ?? null,
    apps: await Promise.all(apps.map((app) => planApp(target, app, healthOf.get(app.id), source))),
    status: await permitted(() => target.importStatus()),
    webhooks: webhooks?.length ?? null,
    currencies: (currencies ?? []).map((currency): PlanCurrency => ({
      code: currency.code,
      hasGrantsAtTarget: hasGrants(currency),
      hasGrantsAtSource: source && source.currenciesWithGrants.has(currency.code),
    })),
  };
}

async function planApp(
  target: TargetApi,
  app: TargetApp,
  health: AppHealth | undefined,
  source: SourceFacts | null,
): Promise<PlanApp> {
  const path = `apps/${encodeURIComponent(app.id)}/store_settings`;
  const settings: StoreSettings | null = await permitted(() => target.get(path));
  const isAtSource = source?.appTypes.has(app.type) === true;
  const keys = isAtSource ? await permitted(() => target.publicKeys(app.id)) : null;
  return {
    id: app.id,
    name: app.name,
    type: app.type,
    credentialsConfigured: health?.credentials_configured ?? null,
    credentialsError: health?.credentials_error?.message ?? null,
    notificationUrl: settings?.notification_url ?? null,
    notificationStatus: settings?.notification_status ?? null,
    forwardUrl: settings?.notification_forward_url ?? null,
    lastForwardStatus: settings?.last_forward?.status ?? null,
    trackNewPurchases: settings?.track_new_purchases ?? null,
    hasSourceKey: keys && source && keys.some(({ key }) => source.publicKeys.has(key)),
  };
}

function hasGrants({ product_grants: grants }: { product_grants?: unknown[] }): boolean {
  return (grants ?? []).length > 0;
}

/** Null if the key lacks the permission, or an older server lacks the route. */
async function permitted<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HttpRefusal && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
