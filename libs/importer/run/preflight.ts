import { ImportFailed } from '../command/outcome.js';
import { HttpRefusal } from '../http/http-client.js';
import type { SourceApi } from '../source/source-api.js';
import type { TargetApi } from '../target/target-api.js';

/** The target's write routes with the permissions they require. */
const writes: readonly [path: string, permissions: string][] = [
  ['apps', 'project_configuration:apps:read_write'],
  ['products', 'project_configuration:products:read_write'],
  ['entitlements', 'project_configuration:entitlements:read_write'],
  ['offerings', 'project_configuration:offerings:read_write'],
  ['offerings/none/packages', 'project_configuration:packages:read_write'],
  ['virtual_currencies', 'project_configuration:virtual_currencies:read_write'],
  [
    'import/customers',
    'customer_information:customers:read_write, customer_information:subscriptions:read_write or ' +
      'customer_information:purchases:read_write (importing customers needs all three)',
  ],
];

/** The project to use: the one requested, or the only one that the key can access. */
function chosen(
  projects: readonly { id: string }[],
  asked: string | null,
  side: string,
  flag: string,
): string {
  if (asked !== null) {
    if (projects.some(({ id }) => id === asked)) return asked;
    throw new ImportFailed(`The key of the ${side} does not see the project ${asked}.`);
  }
  const [only, ...others] = projects;
  if (only && others.length === 0) return only.id;
  const seen = projects.length === 0 ? 'no project' : `${projects.length} projects`;
  throw new ImportFailed(`The key of the ${side} sees ${seen}; name one with ${flag}.`);
}

/** Returns the target's project. @throws ImportFailed if the server cannot be reached or rejects the key */
export async function reachTarget(target: TargetApi, asked: string | null): Promise<string> {
  const project = chosen(await target.projects(), asked, 'target', '--to-project');
  target.use(project);
  return project;
}

/** Returns the source's project. A key without permission to list projects can still read a project that is named. */
export async function reachSource(source: SourceApi, asked: string | null): Promise<string> {
  try {
    return chosen(await source.projects(), asked, 'source', '--source-project');
  } catch (error) {
    if (asked !== null && error instanceof HttpRefusal && error.status === 403) return asked;
    throw error;
  }
}

/** @throws ImportFailed naming every permission that the target's key lacks */
export async function assertMayWrite(target: TargetApi): Promise<void> {
  const missing: string[] = [];
  for (const [path, permissions] of writes) if (!(await target.mayPost(path))) missing.push(permissions);
  if (missing.length === 0) return;
  throw new ImportFailed(`The key of the target lacks permissions: ${missing.join(', ')}`);
}

/** @throws ImportFailed if the source's key cannot read customers; the source's message names the permission */
export async function assertMayRead(source: SourceApi, project: string): Promise<void> {
  const { items } = await source.customersPage(project, null, 1);
  const [first] = items;
  if (!first) return;
  await source.subscriptions(project, first.id);
  await source.purchases(project, first.id);
}
