/** Tells whether app user ids belong to the same customer. Implemented by the customers area. */
export abstract class CustomerIdentity {
  /** Returns true if all ids belong to one customer. */
  abstract areOne(projectId: string, appUserIds: readonly string[]): Promise<boolean>;
}
