import required from 'virtual:permissions';

/** Every permission that some operation takes. */
export const knownPermissions: readonly string[] = [...new Set(Object.values(required).flat())].filter(
  (name) => name !== 'admin',
);
