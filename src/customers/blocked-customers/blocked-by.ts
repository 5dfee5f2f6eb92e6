import { authorOf } from '../../platform/principal/author.js';
import type { Principal } from '../../platform/principal/principal.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { BlockedBy } from './blocked-customers.repository.js';

export type { BlockedBy };

export function blockedBy(principal: Principal): BlockedBy {
  const author = authorOf(principal);
  if (!author) throw new ApiError('forbidden', 'Only a secret key or a signed-in user can block customers.');
  return author;
}
