import type { Role } from './members.queries.js';

export const roleNames: Record<Role, string> = { admin: 'Admin', developer: 'Developer', viewer: 'Viewer' };
