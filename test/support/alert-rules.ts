import { readFileSync } from 'node:fs';

/** Compares a file of alert rules in docker/grafana with the metrics as they are exposed. */
export function checkAlertRules(file: string, exposed: string): { metrics: number; unknown: string[] } {
  const rules = readFileSync(new URL(`../../docker/grafana/${file}`, import.meta.url), 'utf8');
  const names = [...new Set(rules.match(/tenure_\w+/g))];
  const unknown = names.filter((name) => !exposed.includes(`\n${name}{`) && !exposed.includes(`\n${name} `));
  for (const [text, name, label] of rules.matchAll(/(tenure_\w+)\{(\w+)=/g)) {
    if (!new RegExp(`^${name}\\{[^}]*${label}=`, 'm').test(exposed)) unknown.push(text);
  }
  return { metrics: names.length, unknown };
}
