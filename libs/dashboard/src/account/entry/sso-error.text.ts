const SSO_FAILED = 'Single sign-on did not work. Try again, or ask the admin of your organization.';

const notSetUp = 'Single sign-on is not set up for this address.';
const startAgain = 'The sign-in expired or was started in another browser. Start it again here.';
const notAccepted = 'Your organization’s sign-in service did not complete the sign-in.';

/**
 * By the reason of a failed single sign-on; what only the organization's admins can mend has the general sentence and stands
 * in their audit log. The value itself is never shown: anybody can write a link with a sentence in it.
 */
const ssoErrors: Readonly<Record<string, string>> = {
  not_configured: notSetUp,
  connection_disabled: 'Single sign-on is turned off for this organization.',
  domain: 'Your e-mail address is not on a verified domain of this organization.',
  no_account: 'You are not a member, and this organization makes no accounts at sign-in. Ask its admin.',
  inactive: 'Your access was removed. Ask the admin of your organization.',
  expired: startAgain,
  browser: startAgain,
  in_response_to: startAgain,
  replay: startAgain,
  idp_status: notAccepted,
  idp_error: notAccepted,
  idp_initiated: 'Start the sign-in here instead of from your organization’s portal.',
  too_many_attempts: 'Too many attempts. Wait a minute and try again.',
};

export function ssoErrorText(code: string | undefined): string | null {
  return code === undefined ? null : Object.hasOwn(ssoErrors, code) ? ssoErrors[code]! : SSO_FAILED;
}
