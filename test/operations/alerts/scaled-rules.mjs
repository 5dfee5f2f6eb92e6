import { ruleGroups } from '../../support/prometheus.mjs';

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The rules that are shipped, with every `for` and every range shorter by a factor. Thresholds are as they are. */
export function scaledRules(factor) {
  const shorter = (duration) => {
    const [, count, unit] = /^(\d+)([smhd])$/.exec(duration);
    return `${Math.round((Number(count) * UNITS_MS[unit]) / factor)}ms`;
  };
  const ranges = (expr) =>
    expr.replaceAll(/\[(\d+[smhd])(?::(\d+[smhd]))?\]/g, (_, range, step) =>
      step ? `[${shorter(range)}:${shorter(step)}]` : `[${shorter(range)}]`,
    );
  return ruleGroups().map((group) => ({
    ...group,
    rules: group.rules.map((rule) => ({
      ...rule,
      expr: ranges(rule.expr),
      ...(rule.for ? { for: shorter(rule.for) } : {}),
    })),
  }));
}
