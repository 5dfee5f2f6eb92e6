import type { Transaction } from '../../platform/database/database.service.js';

/** Uses of an image or a font that prevent deleting it. Implemented by the paywalls, which need the files. */
export abstract class MediaAssetUses {
  /** Returns a sentence without its period that names who uses the file or one of its blobs; null if no paywall does. */
  abstract find(
    tx: Transaction,
    projectId: string,
    assetId: string,
    refs: readonly string[],
  ): Promise<string | null>;
}
