import { checkResponseForm, type ResponseForm } from './saml-response.policy.js';
import { type Signers, verifiedXml } from './signed-xml.js';

export interface VerifiedResponse {
  form: ResponseForm;
  /** Exactly the text that the identity provider signed. */
  signedXml: string;
}

/** Checks a response, including its signature. @throws SsoRefused */
export function verifiedResponse(posted: string, signers: Signers): VerifiedResponse {
  const form = checkResponseForm(posted, signers.allowSha1);
  return { form, signedXml: verifiedXml(form, signers) };
}
