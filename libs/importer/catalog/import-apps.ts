import type { SourceApp } from '../source/source.model.js';
import type { TargetApp } from '../target/target.model.js';
import { type CatalogRun, createHere } from './catalog-run.js';

/** The field of an app object that holds its identifier at the store. */
const identifierOf: Record<string, string> = {
  app_store: 'bundle_id',
  mac_app_store: 'bundle_id',
  play_store: 'package_name',
  amazon: 'package_name',
};

interface AnyApp {
  name: string;
  type: string;
}

function identifier(app: AnyApp): string | null {
  const field = identifierOf[app.type];
  const details = (app as unknown as Record<string, Record<string, unknown> | undefined>)[app.type];
  const value = field === undefined ? undefined : details?.[field];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Finds the app here that matches the source's by store identifier, else by name. */
export function matchApp(app: SourceApp, candidates: readonly TargetApp[]): TargetApp | null {
  const sameType = candidates.filter(({ type }) => type === app.type);
  const id = identifier(app);
  const byIdentifier = id === null ? undefined : sameType.find((other) => identifier(other) === id);
  // A project has a single test store, whatever its name.
  const onlyOne = app.type === 'test_store' ? sameType[0] : undefined;
  return byIdentifier ?? sameType.find(({ name }) => name === app.name) ?? onlyOne ?? null;
}

function creation(app: SourceApp): object {
  const field = identifierOf[app.type];
  const id = identifier(app);
  const details =
    app.type === 'rc_billing'
      ? {
          app_name: app.rc_billing?.app_name ?? app.name,
          support_email: app.rc_billing?.support_email,
          default_currency: app.rc_billing?.default_currency,
        }
      : field === undefined || id === null
        ? {}
        : { [field]: id };
  return { name: app.name, type: app.type, [app.type]: details };
}

export async function importApps(run: CatalogRun): Promise<SourceApp[]> {
  const [apps, existing] = [await run.source.apps(run.project), await run.target.apps()];
  for (const app of apps) {
    const taken = new Set(Object.values(run.maps.apps));
    const known = run.maps.apps[app.id];
    if (known !== undefined && existing.some(({ id }) => id === known)) {
      run.counts.apps.matched += 1;
      continue;
    }
    const free = (others: readonly TargetApp[]) => others.filter(({ id }) => !taken.has(id));
    const match = matchApp(app, free(existing));
    if (match) run.counts.apps.matched += 1;
    const id =
      match?.id ??
      (await createHere(
        run,
        'apps',
        { id: app.id, path: 'apps', body: creation(app) },
        async () => matchApp(app, free(await run.target.apps()))?.id ?? null,
      ));
    if (id === null) delete run.maps.apps[app.id];
    else run.maps.apps[app.id] = id;
  }
  return apps;
}

/** App types whose store needs credentials that no API returns. */
const withCredentials = ['app_store', 'mac_app_store', 'play_store', 'amazon', 'stripe', 'roku', 'paddle'];
const configuredFlag: Record<string, string> = {
  app_store: 'subscription_key_configured',
  mac_app_store: 'subscription_key_configured',
  play_store: 'play_service_account_credentials_configured',
};

/** Imported apps that still need store credentials. If the target does not report this, only newly created apps. */
export function appsWithoutCredentials(
  apps: readonly TargetApp[],
  before: ReadonlySet<string>,
): { app_id: string; name: string; type: string }[] {
  return apps
    .filter((app) => {
      if (!withCredentials.includes(app.type)) return false;
      const flag = configuredFlag[app.type];
      const details = (app as unknown as Record<string, Record<string, unknown> | undefined>)[app.type];
      return flag === undefined ? !before.has(app.id) : details?.[flag] !== true;
    })
    .map(({ id, name, type }) => ({ app_id: id, name, type }));
}
