export interface FreezingProxy {
  readonly port: number;
  readonly connections: number;
  /** Nothing goes through the connections there are any more; new ones work. */
  freeze(): void;
  /** The same for all that are still to come. */
  silence(): void;
  /** New connections work again. */
  speak(): void;
  close(): void;
}

export function startFreezingProxy(port: number, host?: string): Promise<FreezingProxy>;
