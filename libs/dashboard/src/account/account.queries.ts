import { accountQuery } from '../api/account.queries.js';
import { api, call } from '../api/client.js';
import { organizationList } from '../api/organizations.queries.js';
import { pagedQuery } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type Session = Schema<'SessionDto'>;

const ofAccount = () => [accountQuery.queryKey];
const SESSIONS = ['sessions'] as const;

export const sessionList = pagedQuery([...SESSIONS, 'list'], (page, signal) =>
  api.GET('/auth/sessions', {
    params: { query: page },
    signal,
  }),
);

export type ConnectedClient = Schema<'OauthGrantDto'>;

const CLIENTS = ['connected clients'] as const;

export const clientList = pagedQuery([...CLIENTS, 'list'], (page, signal) =>
  api.GET('/auth/oauth_tokens', { params: { query: page }, signal }),
);

export const useDisconnect = () =>
  useWrite({
    send: (id: string) =>
      call(api.DELETE('/auth/oauth_tokens/{grant_id}', { params: { path: { grant_id: id } } })),
    stale: () => [CLIENTS],
  });

export const useLeaveOrganization = (userId: string) =>
  useWrite({
    send: (id: string) =>
      call(
        api.DELETE('/v2/organizations/{org_id}/members/{user_id}', {
          params: { path: { org_id: id, user_id: userId } },
        }),
      ),
    stale: () => [organizationList.queryKey, ...ofAccount()],
  });

export const useUpdateAccount = (onDone?: () => void) =>
  useWrite({
    send: (body: Schema<'UpdateAccountDto'>) => call(api.POST('/auth/me', { body })),
    stale: ofAccount,
    onDone,
  });

export const useChangeEmail = (onDone: (answer: unknown, input: Schema<'ChangeEmailDto'>) => void) =>
  useWrite({
    send: (body: Schema<'ChangeEmailDto'>) => call(api.POST('/auth/email/change', { body })),
    stale: ofAccount,
    onDone,
  });

export const useCancelEmailChange = (onDone: () => void) =>
  useWrite({ send: () => call(api.POST('/auth/email/change/cancel')), stale: ofAccount, onDone });

export const useDeleteAccount = (onDone: () => void) =>
  useWrite({
    send: (body: Schema<'DeleteAccountDto'>) => call(api.POST('/auth/account/delete', { body })),
    onDone,
  });

export const useChangePassword = (onDone: () => void) =>
  useWrite({
    send: (body: Schema<'ChangePasswordDto'>) => call(api.POST('/auth/password/change', { body })),
    stale: () => [SESSIONS, CLIENTS],
    onDone,
  });

export const useSetUpTwoFactor = () =>
  useWrite({ send: (body: Schema<'SetUpTwoFactorDto'>) => call(api.POST('/auth/2fa/setup', { body })) });

/** Also ends the other sessions. */
export const useEnableTwoFactor = () =>
  useWrite({
    send: (body: Schema<'EnableTwoFactorDto'>) => call(api.POST('/auth/2fa/enable', { body })),
    stale: () => [...ofAccount(), SESSIONS],
  });

export const useDisableTwoFactor = (onDone: () => void) =>
  useWrite({
    send: (body: Schema<'TwoFactorCodeDto'>) => call(api.POST('/auth/2fa/disable', { body })),
    stale: ofAccount,
    onDone,
  });

export const useRenewRecoveryCodes = () =>
  useWrite({
    send: (body: Schema<'TwoFactorCodeDto'>) => call(api.POST('/auth/2fa/recovery_codes', { body })),
  });

export const useEndSession = () =>
  useWrite({
    send: (id: string) =>
      call(api.DELETE('/auth/sessions/{session_id}', { params: { path: { session_id: id } } })),
    stale: () => [SESSIONS],
  });

export const useEndOtherSessions = () =>
  useWrite({ send: () => call(api.POST('/auth/sessions/revoke_others')), stale: () => [SESSIONS] });
