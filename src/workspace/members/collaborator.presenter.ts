import type { ProjectRole } from '../../platform/principal/permissions.js';
import type { CollaboratorDto, CollaboratorRole } from './collaborator.dto.js';
import type { Member } from './collaborators.repository.js';

const shownRole: Record<ProjectRole, CollaboratorRole> = {
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
    role: shownRole[role],
    accepted_at: acceptedAt.getTime(),
    has_mfa: hasTwoFactor,
  };
}
