/** Rows deleted by one cleanup statement, so that locks are short whatever the backlog. */
const BATCH = 1000;

/** Deletes in batches until one is not full. `deleteSome` deletes at most `limit` rows and returns how many. */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteSome(BATCH)) === BATCH);
}
