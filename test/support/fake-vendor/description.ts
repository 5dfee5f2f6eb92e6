import { readFile } from 'node:fs/promises';
import { type FakeVendor, VENDOR_KEY } from './fake-vendor.js';

type Fields = Record<string, string>;

/** Fields and their types that the vendor's REST v2 promises, by the object's own name. */
const description = JSON.parse(
  await readFile(new URL('./description.json', import.meta.url), 'utf8'),
) as Record<string, Fields>;

function fits(value: unknown, type: string): boolean {
  if (type.endsWith('?')) return value === null || fits(value, type.slice(0, -1));
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    default:
      return type.split('|').includes(value as string);
  }
}

function problemsOf(item: Record<string, unknown>, path: string): string[] {
  const fields = description[item.object as string];
  if (!fields) return [`${path}: no object is called ${JSON.stringify(item.object)}`];
  return Object.entries(fields)
    .filter(([name, type]) => !fits(item[name], type))
    .map(([name, type]) => `${path}: ${name} is ${JSON.stringify(item[name])}, not ${type}`);
}

/** Reads everything that an import reads and compares it with the description. */
export async function descriptionProblems(vendor: FakeVendor): Promise<string[]> {
  const { world } = vendor;
  const base = `projects/${world.project.id}`;
  const problems: string[] = [];
  const known = new Set<string>();
  const read = async (path: string): Promise<void> => {
    for (let next: string | null = `/v2/${path}`; next !== null;) {
      const answer = await fetch(`${vendor.url}${next}`, {
        headers: { authorization: `Bearer ${VENDOR_KEY}` },
      });
      const body = (await answer.json()) as {
        object: string;
        items?: Record<string, any>[];
        next_page?: string | null;
      };
      if (body.object !== 'list') problems.push(...problemsOf(body, path));
      else if (!Array.isArray(body.items)) problems.push(`${path}: a list without items`);
      for (const item of body.items ?? []) {
        // Packages list their products with a criterion.
        const object = item.product && item.eligibility_criteria ? item.product : item;
        known.add(object.object as string);
        problems.push(...problemsOf(object, path));
      }
      next = body.next_page ?? null;
    }
  };
  await read('projects');
  for (const name of [
    'apps',
    'products',
    'entitlements',
    'offerings',
    'virtual_currencies',
    'integrations/webhooks',
    'customers',
  ]) {
    await read(`${base}/${name}`);
  }
  for (const { id } of world.apps) await read(`${base}/apps/${id}/public_api_keys`);
  for (const { id, packages } of world.offerings) {
    await read(`${base}/offerings/${id}/packages`);
    for (const each of packages) await read(`${base}/packages/${each.id}/products`);
  }
  for (const { id, subscriptions } of world.customers.values()) {
    const path = `${base}/customers/${encodeURIComponent(id)}`;
    await read(path);
    const parts = [
      'aliases',
      'attributes',
      'subscriptions',
      'purchases',
      'active_entitlements',
      'virtual_currencies',
    ];
    for (const part of parts) await read(`${path}/${part}?limit=100`);
    for (const each of subscriptions) {
      if (['app_store', 'play_store'].includes(each.store))
        await read(`${base}/subscriptions/${each.id}/transactions`);
    }
  }
  const missing = Object.keys(description).filter((name) => !known.has(name));
  return [...new Set(problems), ...missing.map((name) => `no answer showed a ${name}`)];
}
