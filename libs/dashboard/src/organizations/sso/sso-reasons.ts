/** How to fix a refused sign-in, by the reason in the organization's audit log. */
const cures: Readonly<Record<string, string>> = {
  connection_disabled: 'The connection is off. Turn it on, and try again.',
  malformed:
    'The provider sent something that is not a SAML response, or one with a document type or a processing instruction. Check that the application there is one for SAML 2.0.',
  idp_status: 'The provider refused the sign-in. Give the person access to the application there.',
  assertion_count:
    'The response must hold exactly one assertion. Check the settings of the application there.',
  encrypted: 'The assertion is encrypted, which is not supported. Turn encryption off at the provider.',
  signature:
    'No signature by a certificate of this connection was found, or it uses SHA-1. Read the metadata of the provider again, and let it sign with SHA-256.',
  issuer: 'The response names another issuer. Compare the entity id of the provider in step 2.',
  destination: 'The response was made for another address. Compare the reply URL of step 1 at the provider.',
  recipient: 'The assertion was made for another address. Compare the reply URL of step 1 at the provider.',
  expired: 'The response came too late. Compare the clocks of the provider and of this server.',
  not_yet_valid: 'The response is from the future. Compare the clocks of the provider and of this server.',
  audience: 'The assertion is for another audience. Compare the entity id of step 1 at the provider.',
  in_response_to:
    'The answer belongs to no sign-in that is open: it took more than 10 minutes, or it was sent twice. Start again.',
  browser: 'The sign-in started in another browser, or its cookies are blocked. Start again in one browser.',
  state: 'The sign-in started in another browser, or more than 10 minutes ago. Start again.',
  idp_initiated:
    'The sign-in started at the provider. Start here instead, or accept such sign-ins in step 2.',
  replay: 'The same response was sent twice. Start again.',
  email:
    'No email address was found. Let the provider send one, and name its attribute in step 2 if it is an unusual one.',
  domain: 'The address is on no verified domain of this organization. Verify the domain in step 3.',
  idp_error: 'The provider answered with an error. See its log.',
  idp_unreachable: 'The provider could not be reached from this server. Check the issuer and the network.',
  id_token:
    'The provider’s token was refused: its signature, issuer, audience or time is wrong. Compare issuer and client id in step 2.',
  token_answer: 'The provider sent no ID token. Check that the scopes in step 2 include openid.',
  userinfo_failed: 'The userinfo endpoint of the provider did not answer. Try again, or see its log.',
  userinfo_sub:
    'The userinfo endpoint of the provider answered for another person. Ask who runs the provider.',
  groups_claim:
    'The groups claim is neither a list nor text nor an object. Name another claim in step 2, or change it there.',
  subject:
    'Another person of the provider has used this address before. If the address has a new owner, remove the member and add the new one.',
  nonce: 'The provider’s token is for another sign-in. Start again.',
  email_unverified: 'The provider says that the address is not verified. Verify it there.',
  no_account:
    'No account has this address. Allow accounts to be created at the first sign-in, or add the person.',
  not_a_member: 'The person is not a member. Allow people to join at the first sign-in, or add the person.',
  member_inactive: 'The provider has deactivated this person by provisioning. Activate the person there.',
  inactive: 'The provider has deactivated this person by provisioning. Activate the person there.',
  too_many_attempts: 'There were too many sign-ins in a minute. Wait, and try again.',
};

export const cureOf = (reason: string): string =>
  cures[reason] ??
  'The log of the organization has the entry. Start again, and compare every value of steps 1 and 2.';
