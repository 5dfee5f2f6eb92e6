import type { Statement } from './statement.js';

/** Milliseconds, or a switch. */
type Setting = number | 'on' | 'off';

/**
 * Changes settings until the transaction ends. Query it without values. On Citus only real SET commands reach the
 * workers, if the first one says so; any PostgreSQL accepts that one.
 */
export function localSettings(settings: Readonly<Record<string, Setting>>): Statement {
  const commands = Object.entries(settings).map(([name, value]) => {
    const text = String(value);
    if (!/^[a-z_]+ (\d+|on|off)$/.test(`${name} ${text}`)) throw new Error(`not a setting: ${name} ${text}`);
    return `SET LOCAL ${name} = ${text}`;
  });
  const text = [`SET LOCAL citus.propagate_set_commands = 'local'`, ...commands].join('; ');
  // Several commands cannot be prepared.
  return { name: 'database.local_settings', text, unnamed: true };
}
