/** Whether the catalog sells something once, by the ids of its price and its product; the first known one decides. */
export type SoldOnce = (storeIdentifiers: readonly string[]) => boolean;
