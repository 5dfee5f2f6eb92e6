export interface FreezingProxy {
  readonly port: number;
  readonly connections: number;
  /** Nothing goes through the connections there are any more; new ones work. */
  freeze(): void;
  /** Ends what is frozen, as systems do that ask the other side now and again and hear nothing. */
  giveUpFrozen(): void;
  /** The same as to freeze, for all that are still to come, too. */
  silence(): void;
  /** New connections work again. */
  speak(): void;
  close(): void;
}

export function startFreezingProxy(port: number, host?: string): Promise<FreezingProxy>;
