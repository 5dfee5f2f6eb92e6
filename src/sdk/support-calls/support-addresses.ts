/** Support addresses for a project's customers. The redemption area provides it. */
export abstract class SupportAddresses {
  /** Null if the project has no address. */
  abstract supportEmail(projectId: string): Promise<string | null>;
}
