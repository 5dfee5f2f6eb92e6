/** Injection token of the `Clock` (`@Inject(CLOCK) clock: Clock`). */
export const CLOCK = Symbol('CLOCK');
