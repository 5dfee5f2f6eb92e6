import { accountQuery } from '../../api/account.queries.js';
import { api, call } from '../../api/client.js';
import { pagedQuery } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type Member = Schema<'CollaboratorDto'>;
export type Invite = Schema<'InviteDto'>;
export type SentInvite = Schema<'SentInviteDto'>;
export type Role = Schema<'CreateInviteDto'>['role'];

const membersKey = (project: string) => [project, 'members'];
const invitesKey = (project: string) => [project, 'invites'];

export const memberList = (project: string) =>
  pagedQuery([...membersKey(project), 'list'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/collaborators', {
      params: {
        path: { project_id: project },
        query: page,
      },
      signal,
    }),
  );

export const inviteList = (project: string) =>
  pagedQuery([...invitesKey(project), 'list'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/invites', {
      params: {
        path: { project_id: project },
        query: page,
      },
      signal,
    }),
  );

/** The person's own role is also part of the account. */
const ofMember = (project: string) => () => [membersKey(project), accountQuery.queryKey];

export const useChangeRole = (project: string, onDone: (member: Member) => void) =>
  useWrite({
    send: ({ userId, role }: { userId: string; role: Role }, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/collaborators/{user_id}', {
          params: { path: { project_id: project, user_id: userId } },
          body: { role },
          headers,
        }),
      ),
    stale: ofMember(project),
    onDone,
  });

export const useRemoveMember = (project: string) =>
  useWrite({
    send: (userId: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/collaborators/{user_id}', {
          params: { path: { project_id: project, user_id: userId } },
          headers,
        }),
      ),
    stale: () => [membersKey(project)],
  });

export const useInvite = (project: string) =>
  useWrite({
    send: (body: Schema<'CreateInviteDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/invites', {
          params: { path: { project_id: project } },
          body,
          headers,
        }),
      ),
    stale: () => [invitesKey(project)],
  });

export const useResendInvite = (project: string, onDone: (sent: SentInvite) => void) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/invites/{invite_id}/actions/resend', {
          params: { path: { project_id: project, invite_id: id } },
          headers,
        }),
      ),
    stale: () => [invitesKey(project)],
    onDone,
  });

export const useRevokeInvite = (project: string) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/invites/{invite_id}', {
          params: { path: { project_id: project, invite_id: id } },
          headers,
        }),
      ),
    stale: () => [invitesKey(project)],
  });
