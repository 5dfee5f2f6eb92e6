import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import type { OnDone, SignInAnswer } from './sign-in.queries.js';

export type ShownInvite = Schema<'ShownInviteDto'>;

// Discarded when the page closes, because the links work only once.
const ofLink = { staleTime: 0, gcTime: 0, retry: false, meta: { anonymous: true } } as const;

export const inviteQuery = (token: string) =>
  queryOptions({
    ...ofLink,
    queryKey: ['invite', token],
    queryFn: ({ signal }) => call(api.GET('/auth/invites/{token}', { params: { path: { token } }, signal })),
  });

export const resetLinkQuery = (token: string) =>
  queryOptions({
    ...ofLink,
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => call(api.POST('/auth/password/check', { body: { token }, signal })),
  });

export const useCompleteSignIn = (onDone: () => void) =>
  useWrite({
    anonymous: true,
    send: (body: Schema<'CompleteSignInDto'>) => call(api.POST('/auth/login/2fa', { body })),
    onDone,
  });

export const useSignUp = (onDone: (answer: Schema<'SignedUpDto'>) => void) =>
  useWrite({
    anonymous: true,
    send: (body: Schema<'SignUpDto'>) => call(api.POST('/auth/signup', { body })),
    onDone,
  });

export const useForgotPassword = () =>
  useWrite({
    anonymous: true,
    send: (body: Schema<'ForgottenPasswordDto'>) => call(api.POST('/auth/password/forgot', { body })),
  });

export const useResetPassword = (onDone: OnDone<SignInAnswer>) =>
  useWrite({
    anonymous: true,
    send: (body: Schema<'ResetPasswordDto'>) => call(api.POST('/auth/password/reset', { body })),
    onDone,
  });

export const useVerifyEmail = () =>
  useWrite({
    anonymous: true,
    send: (body: Schema<'TokenDto'>) => call(api.POST('/auth/email/verify', { body })),
    stale: () => [['account']],
  });

export const useResendVerification = () =>
  useWrite({ anonymous: true, send: () => call(api.POST('/auth/email/verify/resend')) });

export const useConfirmEmailChange = () =>
  useWrite({
    anonymous: true,
    send: (body: Schema<'TokenDto'>) => call(api.POST('/auth/email/change/confirm', { body })),
    stale: () => [['account']],
  });

/** Opening the link in a mail changes nothing; this does. */
export const useStopDigest = () =>
  useWrite({
    anonymous: true,
    send: (token: string) => call(api.POST('/auth/digests/unsubscribe', { params: { query: { token } } })),
  });

export const useAcceptInvite = (onDone: OnDone<Schema<'AcceptedInviteDto'>>) =>
  useWrite({
    anonymous: true,
    send: (token: string) => call(api.POST('/auth/invites/{token}/accept', { params: { path: { token } } })),
    onDone,
  });

export const useSignOut = (onDone: () => void) =>
  useWrite({ send: () => call(api.POST('/auth/logout')), onDone });
