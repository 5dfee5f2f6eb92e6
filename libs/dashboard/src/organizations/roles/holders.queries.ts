import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import type {
  CustomRole,
  OrganizationProject,
  OrganizationProjectMember,
} from '../../api/enterprise.types.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { allItems } from '../../api/paging.js';

export interface Holder {
  member: OrganizationProjectMember;
  project: OrganizationProject;
}

/** The people with a role, project by project. */
export const holdersQuery = (orgId: string, role: CustomRole) =>
  queryOptions({
    queryKey: [...organizationKey(orgId), 'holders', role.id],
    queryFn: async ({ signal }) => {
      const projects = await allItems(
        (query) =>
          api.GET('/v2/organizations/{org_id}/projects', {
            params: { path: { org_id: orgId }, query },
            signal,
          }),
        signal,
      );
      const holders: Holder[] = [];
      for (const project of projects) {
        if (role.project_id !== null && role.project_id !== project.id) continue;
        const members = await allItems(
          (query) =>
            api.GET('/v2/organizations/{org_id}/projects/{project_id}/members', {
              params: { path: { org_id: orgId, project_id: project.id }, query },
              signal,
            }),
          signal,
        );
        holders.push(
          ...members.filter((member) => member.role === role.id).map((member) => ({ member, project })),
        );
      }
      return holders;
    },
  });
