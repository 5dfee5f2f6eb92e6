/** Whether the catalog sells something once, by the ids of its price and its product. The first known id decides. */
export type SoldOnce = (storeIdentifiers: readonly string[]) => boolean;
