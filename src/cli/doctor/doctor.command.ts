import { CommandFailed } from '../command-failed.js';
import { print, withDatabase } from '../context.js';
import { examine } from './checks.js';

/** Fails if a finding prevents the server from working. */
export function doctor(): Promise<void> {
  return withDatabase(async ({ dataSource, config }) => {
    const findings = await examine(dataSource, config);
    for (const { level, text } of findings) print(`${level.padEnd(8)} ${text}`);
    const failures = findings.filter(({ level }) => level === 'failure').length;
    if (failures > 0) throw new CommandFailed(`${failures} problems`);
  });
}
