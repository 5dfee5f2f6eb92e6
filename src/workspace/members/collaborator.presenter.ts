import type { ProjectRole } from '../../platform/principal/permissions.js';
import type { CollaboratorDto, CollaboratorRole } from './collaborator.dto.js';
import type { Member } from './collaborators.repository.js';

const shownRole: Record<ProjectRole, CollaboratorRole> = {
  admin: 'admin',
  developer: 'developer',
  viewer: 'read_only',
};

export function presentCollaborator({ userId, name, email, role, acceptedAt }: Member): CollaboratorDto {
  return {
    object: 'collaborator',
    id: userId,
    name,
    email,
    role: shownRole[role],
    accepted_at: acceptedAt.getTime(),
    // People sign in with a password only.
    has_mfa: false,
  };
}
