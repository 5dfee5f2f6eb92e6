/** Counts of what an import has left open. They grow with the project, so large ones are counted in the background. */
export interface ImportCounts {
  customers: number;
  subscriptions: number;
  /** Google Play subscriptions without a purchase token, by app id. */
  awaitingToken: Record<string, number>;
  unconfirmedOriginalIds: number;
  heldOpen: number;
  transactionsWithoutPrice: number;
  /** Absent in counts saved by an earlier version. */
  periodsOfUnknownLength?: number;
  resolving: number;
}

/** Counts up to this number are computed on every request. */
export const EXACT_UP_TO = 100_000;

export function awaitingTokenIn({ awaitingToken }: ImportCounts): number {
  return Object.values(awaitingToken).reduce((sum, count) => sum + count, 0);
}

/** Whether no count reached a limit just above `EXACT_UP_TO`. */
export function isExact(counts: ImportCounts): boolean {
  const figures = Object.values(counts).filter((figure) => typeof figure === 'number');
  return [...figures, awaitingTokenIn(counts)].every((count) => count <= EXACT_UP_TO);
}
