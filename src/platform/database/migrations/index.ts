import { Foundation1764700000000 } from './1764700000000-foundation.js';
import { AccountsAndSignIn1764800000000 } from './1764800000000-accounts-and-sign-in.js';

/** Every migration, oldest first. */
export const migrations = [Foundation1764700000000, AccountsAndSignIn1764800000000];
