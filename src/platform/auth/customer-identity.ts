/** Which app user ids belong together. The customers area provides it. */
export abstract class CustomerIdentity {
  /** True if all of the ids are of one customer. */
  abstract areOne(projectId: string, appUserIds: readonly string[]): Promise<boolean>;
}
