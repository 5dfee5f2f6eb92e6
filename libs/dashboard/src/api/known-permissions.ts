import operations from 'virtual:permissions';

/** Every permission that some operation needs. */
export const knownPermissions: readonly string[] = [
  ...new Set(Object.keys(operations).flatMap((needed) => needed.split(' '))),
].filter((name) => name !== 'admin');
