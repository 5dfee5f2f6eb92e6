/** Strings of charts. */
export const chartText = {
  other: 'Other',
  incomplete: 'incomplete',
  chartKeys: 'Use the arrow keys to move along the points.',
  seriesEmpty: (name: string) => `${name}: no data`,
  seriesSummary: (name: string, first: string, last: string, top: string, day: string) =>
    `${name}: ${first} to ${last}, highest ${top} on ${day}`,
  chartSummary: (label: string, from: string, to: string) => `${label} from ${from} to ${to} (UTC).`,
  incompleteFrom: (day: string) => `Not complete from ${day} on.`,
  noData: 'No data in this period.',
  utcDay: 'UTC day',
};
