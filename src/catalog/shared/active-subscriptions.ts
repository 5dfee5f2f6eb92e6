/**
 * Counts subscriptions that give access now, including trials and sandbox ones. Audit rows of archived and deleted
 * objects record the number. Implemented by the insights area.
 */
export abstract class ActiveSubscriptions {
  abstract ofProducts(projectId: string, ids: readonly string[]): Promise<number>;

  abstract ofApp(projectId: string, appId: string): Promise<number>;

  /** Counts those of products that unlock an entitlement; `among` limits them to some products. */
  abstract ofEntitlement(
    projectId: string,
    entitlementId: string,
    among?: readonly string[],
  ): Promise<number>;
}
