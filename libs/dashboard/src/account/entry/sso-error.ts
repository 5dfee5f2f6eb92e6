const SSO_FAILED = 'Single sign-on did not work. Try again, or ask the admin of your organization.';

/**
 * Explanations of the server's codes for failed single sign-ons. Other codes get the general sentence; the
 * organization's audit log has the details. The page never shows the code itself, because anyone could put a sentence
 * into a link.
 */
const ssoErrors: Readonly<Record<string, string>> = {
  'Single sign-on is not set up for this address.': 'Single sign-on is not set up for this address.',
  'This single sign-on connection is turned off.': 'Single sign-on is turned off for this organization.',
  'The address is not on a verified domain of this organization.':
    'Your email address is not on a verified domain of this organization.',
  'You are not a member of this organization, and accounts are not created at sign-in.':
    'You are not a member, and this organization does not create accounts at sign-in. Ask its admin.',
  'Your access to this organization was removed.':
    'Your access was removed. Ask the admin of your organization.',
  'The sign-in was started in another browser, or it has expired. Start again.':
    'The sign-in expired or was started in another browser. Start it again here.',
  'The identity provider did not complete the sign-in.':
    'Your organization’s sign-in service did not complete the sign-in.',
  'Too many attempts. Try again in a minute.': 'Too many attempts. Wait a minute and try again.',
};

export function ssoErrorText(message: string | undefined): string | null {
  if (message === undefined) return null;
  return Object.hasOwn(ssoErrors, message) ? ssoErrors[message]! : SSO_FAILED;
}
