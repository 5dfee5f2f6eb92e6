/** Texts of the pages that need no session, in addition to `sign-in.text.ts`. */
export const text = {
  newPassword: 'New password',
  name: 'Your name',
  projectName: 'Project name',
  passwordHint: 'At least 8 characters.',
  missingNewPassword: 'Choose a password.',
  shortPassword: 'Use at least 8 characters.',
  missingCode: 'Enter the code.',

  alreadySignedUp: 'Already have an account?',

  codeSentence: 'Enter the code that your authenticator app shows for Tenure.',
  code: 'Six-digit code',
  recoverySentence: 'Enter one of the recovery codes that you saved. Each of them works once.',
  recoveryCode: 'Recovery code',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the authenticator app',
  verify: 'Continue',
  startAgain: 'Start again',

  setUpSentence: 'Create the first account. It becomes the admin of this server’s first project.',
  setupToken: 'Setup token',
  setupTokenHint: 'The server printed it when it started, after “Setup token:”.',
  signUpTitle: 'Create your account',
  signUp: 'Create account',
  closedTitle: 'Sign-up is closed',
  closedSentence:
    'This server takes new accounts by invitation only. Ask an admin of the project that you want to join to invite you.',
  toSignIn: 'Go to sign-in',

  resetTitle: 'Reset your password',
  resetSentence: 'Enter the address of your account. We will send you a link to set a new password.',
  sendLink: 'Send the link',
  sentTitle: 'Check your mail',
  sentSentence: (email: string) =>
    `If ${email} has an account, a link to set a new password is on its way. It works once, for one hour.`,
  sendAgain: 'Use another address',
  setPassword: 'Set the password',
  resetEnds: 'This signs you out everywhere else.',
  newLink: 'Ask for a new link',

  verifyTitle: 'Confirm your email',
  verifySentence: 'Confirm that this address belongs to you.',
  confirm: 'Confirm',
  verified: (email: string) => `${email} is confirmed.`,
  noLink: 'Open the link in the mail that we sent you. The page needs what stands in it.',
  sendVerification: 'Send a new link',
  verificationSent: (email: string) => `A new link is on its way to ${email}.`,
  alreadyVerified: (email: string) => `${email} is confirmed already.`,
  goOn: 'Continue',

  changeTitle: 'Change your email',
  changeSentence: 'Confirm that this is your new address. You will sign in with it from now on.',
  changed: (email: string) => `Your address is now ${email}.`,
  changeAgain: 'Change it in your account',

  inviteTitle: 'Invitation',
  invited: (by: string) => `${by} invites you to the project`,
  someone: 'A member',
  inviteEmail: 'Invited address',
  inviteRole: 'Role',
  inviteEnds: 'Valid until',
  accept: 'Accept the invitation',
  inviteSignIn: 'Sign in to accept the invitation.',
  inviteSignUp: 'Create an account to accept the invitation.',
  otherAddress: (invited: string, signedIn: string) =>
    `This invitation is for ${invited}; you are signed in as ${signedIn}.`,
  signOut: 'Sign out',
  askAgain: 'Ask the person who invited you to send it again.',
} as const;

/** Why an emailed link does not work, by `reason`. */
export const linkReasons: Readonly<Record<string, string>> = {
  expired: 'This link has expired.',
  used: 'This link has been used already. Each link works once.',
  replaced: 'A newer link has been sent, or the password was changed since. Use the newest mail.',
  not_found: 'This link is not complete or not from this server. Copy the whole address from the mail.',
};
