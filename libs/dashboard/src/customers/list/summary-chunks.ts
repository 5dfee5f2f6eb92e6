const LONGEST = 4_000;
const MOST = 50;

/** Splits ids into groups that fit into a URL, in their order. */
export function summaryChunks(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let length = Infinity;
  for (const id of ids) {
    const size = encodeURIComponent(id).length + '&ids='.length;
    if (length + size > LONGEST || chunks.at(-1)!.length === MOST) {
      chunks.push([]);
      length = 0;
    }
    chunks.at(-1)!.push(id);
    length += size;
  }
  return chunks;
}
