/**
 * Counts subscriptions that give access now, trials and sandbox ones included. Audit rows of archived and deleted
 * objects record the number. The insights area provides it.
 */
export abstract class ActiveSubscriptions {
  abstract ofProducts(projectId: string, ids: readonly string[]): Promise<number>;

  abstract ofApp(projectId: string, appId: string): Promise<number>;

  /** Of the products that unlock an entitlement; `among` limits them to some products. */
  abstract ofEntitlement(
    projectId: string,
    entitlementId: string,
    among?: readonly string[],
  ): Promise<number>;
}
