import { isBuiltIn, type ProjectRole } from '../../platform/principal/permissions.js';
import type { CollaboratorDto } from './collaborator.dto.js';
import type { Member } from './collaborators.repository.js';

const shownRole: Record<ProjectRole, 'admin' | 'developer' | 'read_only'> = {
  admin: 'admin',
  developer: 'developer',
  viewer: 'read_only',
};

export function presentCollaborator({
  userId,
  name,
  email,
  role,
  acceptedAt,
  hasTwoFactor,
}: Member): CollaboratorDto {
  return {
    object: 'collaborator',
    id: userId,
    name,
    email,
    role: isBuiltIn(role) ? shownRole[role] : role,
    accepted_at: acceptedAt.getTime(),
    has_mfa: hasTwoFactor,
  };
}
