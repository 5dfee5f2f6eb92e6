/** Most rows that one statement of a clean-up deletes: locks stay short, whatever has piled up. */
const BATCH = 1000;

/** Deletes by batches until one is not full. `deleteSome` deletes at most `limit` rows and tells how many. */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteSome(BATCH)) === BATCH);
}
