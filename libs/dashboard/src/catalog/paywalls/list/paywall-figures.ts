import type { Schema } from '../../../api/types.js';

export interface PaywallFigures {
  viewers: number;
  /** Null without viewers. */
  converted: number | null;
}

type Answer = Pick<Schema<'ChartDataDto'>, 'summary' | 'segments'>;

/** Figures by paywall id, from the chart of conversions by paywall. */
export function figuresOf({ summary, segments }: Answer): Map<string, PaywallFigures> {
  const rows = (segments ?? []).map(({ id, display_name: name }): [string, PaywallFigures] => {
    const row = summary?.total?.[name];
    const figures = typeof row === 'object' && row !== null ? row : {};
    const viewers = figures['Paywall Viewers'] ?? 0;
    const conversions = figures['Initial Conversions'] ?? 0;
    return [id, { viewers, converted: viewers === 0 ? null : conversions / viewers }];
  });
  return new Map(rows);
}
