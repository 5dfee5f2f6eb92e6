/** Why a sign-in was refused, as recorded in the organization's audit log. The dashboard explains how to fix each. */
export const ssoReasons = [
  'connection_disabled',
  'malformed',
  'idp_status',
  'assertion_count',
  'encrypted',
  'signature',
  'issuer',
  'destination',
  'recipient',
  'expired',
  'not_yet_valid',
  'audience',
  'in_response_to',
  'browser',
  'idp_initiated',
  'replay',
  'email',
  'domain',
  // OpenID Connect only.
  'state',
  'idp_error',
  'idp_unreachable',
  'token_answer',
  'id_token',
  'nonce',
  'email_unverified',
  'userinfo_failed',
  'userinfo_sub',
  'groups_claim',
  'subject',
  // Reasons in the account, after the identity provider's response was accepted.
  'no_account',
  'not_a_member',
  'member_inactive',
] as const;

export type SsoReason = (typeof ssoReasons)[number];

export interface RefusalContext {
  /** Null unless the response was valid up to the address. */
  email?: string | null;
  /** Whether nothing links the attempt to the organization's people or its identity provider. */
  isStranger?: boolean;
  /** The claim that is missing. */
  claim?: string | null;
  /** Further details for the audit log. */
  details?: Record<string, unknown>;
}

export class SsoRefused extends Error {
  readonly email: string | null;
  readonly isStranger: boolean;
  readonly claim: string | null;
  readonly details: Record<string, unknown>;

  constructor(
    readonly reason: SsoReason,
    { email = null, isStranger = false, claim = null, details = {} }: RefusalContext = {},
  ) {
    super(`Single sign-on was refused: ${reason}`);
    this.name = 'SsoRefused';
    this.email = email;
    this.isStranger = isStranger;
    this.claim = claim;
    this.details = details;
  }
}

/** Messages for the sign-in page. Fixed texts, because no part of the response may reach the page. */
export const ssoMessages = {
  not_set_up: 'Single sign-on is not set up for this address.',
  turned_off: 'This single sign-on connection is turned off.',
  domain: 'The address is not on a verified domain of this organization.',
  no_member: 'You are not a member of this organization, and accounts are not created at sign-in.',
  removed: 'Your access to this organization was removed.',
  restart: 'The sign-in was started in another browser, or it has expired. Start again.',
  no_answer: 'The identity provider did not answer. Try again.',
  not_completed: 'The identity provider did not complete the sign-in.',
  too_many: 'Too many attempts. Try again in a minute.',
  generic: 'Single sign-on failed. Ask the administrator of your organization.',
} as const;

const messageOf: Partial<Record<SsoReason, keyof typeof ssoMessages>> = {
  connection_disabled: 'turned_off',
  domain: 'domain',
  no_account: 'no_member',
  not_a_member: 'no_member',
  member_inactive: 'removed',
  in_response_to: 'restart',
  browser: 'restart',
  state: 'restart',
  idp_status: 'not_completed',
  idp_error: 'not_completed',
  userinfo_failed: 'no_answer',
};

/** The claim's name is safe to show, because the organization configured it. */
export function ssoMessage({ reason, claim }: SsoRefused): string {
  if (reason === 'email' && claim !== null) {
    return `The identity provider sent no email address. The claim ${JSON.stringify(claim)} was looked for.`;
  }
  return ssoMessages[messageOf[reason] ?? 'generic'];
}
