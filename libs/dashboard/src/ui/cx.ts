/** Joins class names, ignoring false, null, undefined and empty ones. */
export const cx = (...names: unknown[]) => names.filter((name) => typeof name === 'string' && name).join(' ');
