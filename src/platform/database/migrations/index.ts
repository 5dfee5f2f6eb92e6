import { Foundation1764700000000 } from './1764700000000-foundation.js';

/** Every migration, oldest first. */
export const migrations = [Foundation1764700000000];
