import { type AcceptedAssertion, checkAssertion, type ExpectedResponse } from './assertion.policy.js';
import { checkResponseForm } from './saml-response.policy.js';
import { verifiedXml } from './signed-xml.js';

export interface TrustedIdp extends ExpectedResponse {
  /** PEM. */
  certificates: readonly string[];
  allowSha1: boolean;
}

/** Rows 2 to 10 of the checks, in order: what can be decided without the state of a sign-in. @throws SsoRefused */
export async function acceptedAssertion(
  posted: string,
  idp: TrustedIdp,
  nowMs: number,
): Promise<AcceptedAssertion> {
  const form = checkResponseForm(posted, idp.allowSha1);
  const signed = await verifiedXml(form, idp.certificates);
  return checkAssertion(signed, form, idp, nowMs);
}
