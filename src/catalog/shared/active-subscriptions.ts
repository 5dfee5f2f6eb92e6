/**
 * Subscriptions that give access now, trials and sandbox ones included, by what they are of: for the audit rows of what
 * is archived or deleted. The insights wing provides it.
 */
export abstract class ActiveSubscriptions {
  abstract ofProducts(projectId: string, ids: readonly string[]): Promise<number>;

  /** Through all products of an app. */
  abstract ofApp(projectId: string, appId: string): Promise<number>;

  /** Through the products that unlock an entitlement; `among` narrows to some of them. */
  abstract ofEntitlement(
    projectId: string,
    entitlementId: string,
    among?: readonly string[],
  ): Promise<number>;
}
