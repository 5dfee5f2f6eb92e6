/**
 * A time (ms) that only a hanging process needs. For the short form, which runs wherever a change is checked: there the
 * machine may have a fraction of its processor for minutes, and a bound for how fast something is would measure that.
 */
const HANGS_MS = 90_000;

/** Most time (ms) that something may take: as promised for a machine that is left alone, or, in the short form, without a hang. */
export const boundMs = (short, promisedMs) => (short ? HANGS_MS : promisedMs);

/**
 * How much later (ms) than they happen things may be noticed there, beyond what is usual on a busy machine. It leaves
 * little of what tells a webhook that was repeated in vain from one whose sender died: that is for the full form.
 */
export const lateMs = (short) => (short ? 20_000 : 0);
