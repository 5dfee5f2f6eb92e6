import type { OrganizationProjectMember } from '../../api/enterprise.types.js';

export const sourceLabels = {
  manual: 'Assigned manually',
  org: 'The role in the organization',
  idp: 'A group of the identity provider',
} satisfies Record<OrganizationProjectMember['source'], string>;
