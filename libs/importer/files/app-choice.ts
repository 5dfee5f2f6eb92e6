import type { Store } from '../../engine/index.js';
import { WrongUsage } from '../command/outcome.js';

const CHOICE = /^([a-z_]+)=(\S+)$/;

/**
 * Returns the target's app for each store: the one of `--app <store>=<app id>`, else the only one of its type.
 * @throws WrongUsage for a malformed flag, or one that names no app of that store
 */
export function appChoice(
  apps: readonly { id: string; type: string }[],
  flags: readonly string[],
): (store: Store) => string | null {
  const chosen = new Map<string, string>();
  for (const flag of flags) {
    const [, store = '', id = ''] = CHOICE.exec(flag) ?? [];
    if (id === '') throw new WrongUsage('--app takes <store>=<app id>, such as app_store=app1a2b3c.');
    const app = apps.find((each) => each.id === id);
    if (!app) throw new WrongUsage(`--app ${flag}: the target has no app ${id}.`);
    if (app.type !== store) throw new WrongUsage(`--app ${flag}: ${id} is an app of ${app.type}.`);
    chosen.set(store, id);
  }
  return (store) => {
    const [only, ...others] = apps.filter(({ type }) => type === store);
    return chosen.get(store) ?? (only && others.length === 0 ? only.id : null);
  };
}
