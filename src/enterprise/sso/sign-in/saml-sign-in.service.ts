import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newToken } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { samlAddresses } from '../connections/sso-addresses.js';
import type { SamlConnection, SamlSettings } from '../connections/sso-connection.entity.js';
import { authnRequestUrl, newRequestId } from '../saml/authn-request.js';
import type { AttributeNames } from '../saml/saml-attributes.policy.js';
import { samlIdentity } from '../saml/saml-identity.policy.js';
import { checkAssertion } from '../saml/assertion.policy.js';
import { type VerifiedResponse, verifiedResponse } from '../saml/saml-response.js';
import type { Signers } from '../saml/signed-xml.js';
import { safeNext } from '../shared/next-path.policy.js';
import { SsoRefused } from '../shared/sso-reasons.js';
import { LoginStatesService } from './login-states.service.js';
import { type SsoRequest, SsoSignInService } from './sso-sign-in.service.js';

/** The form that the identity provider's page posted, and the browser that sent it. */
export interface SamlAnswer {
  response: string;
  relayState: string | null;
  browserSecret: string | null;
}

export interface SignedIn {
  sessionToken: string;
  next: string;
}

function attributeNames(settings: SamlSettings): AttributeNames {
  return {
    email: settings.emailAttribute,
    firstName: settings.firstNameAttribute,
    lastName: settings.lastNameAttribute,
    groups: settings.groupsAttribute,
  };
}

@Injectable()
export class SamlSignInService {
  constructor(
    private readonly states: LoginStatesService,
    private readonly signIns: SsoSignInService,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the URL at the identity provider. */
  async start(connection: SamlConnection, next: string, browserSecret: string): Promise<string> {
    const { idpSsoUrl } = connection.settings;
    if (idpSsoUrl === null) throw new SsoRefused('connection_disabled');
    const id = newRequestId();
    await this.states.begin(connection, { state: id, next, browserSecret });
    const addresses = samlAddresses(this.config.baseUrl, connection.id);
    const request = { id, idpSsoUrl, ...addresses, nowMs: this.clock.nowMs() };
    return authnRequestUrl(request, newToken());
  }

  /** @throws SsoRefused */
  async finish(connection: SamlConnection, answer: SamlAnswer, request: SsoRequest): Promise<SignedIn> {
    const { settings } = connection;
    const { idpEntityId, idpCertificates, allowIdpInitiated } = settings;
    if (idpEntityId === null) throw new SsoRefused('connection_disabled');
    const idp = {
      ...samlAddresses(this.config.baseUrl, connection.id),
      idpEntityId,
      certificates: idpCertificates,
      allowSha1: this.config.samlAllowSha1,
    };
    const { form, signedXml } = await this.verified(connection, answer, idp);
    const assertion = checkAssertion(signedXml, form, idp, this.clock.nowMs());
    const { inResponseTo } = assertion;
    if (inResponseTo === null && !allowIdpInitiated) throw new SsoRefused('idp_initiated');
    let next = safeNext(answer.relayState);
    const sessionToken = await this.signIns.signIn(connection, request, async (tx) => {
      if (inResponseTo !== null) {
        const { browserSecret } = answer;
        const login = { state: inResponseTo, browserSecret };
        ({ next } = await this.states.use(tx, connection, login, 'in_response_to'));
      }
      await this.states.acceptOnce(tx, connection, assertion);
      return samlIdentity(assertion, attributeNames(settings));
    });
    return { sessionToken, next };
  }

  /**
   * Parses the document only if this browser has started a sign-in with the connection, or if the identity provider may
   * start sign-ins.
   * @throws SsoRefused
   */
  private async verified(
    connection: SamlConnection,
    { response, browserSecret }: SamlAnswer,
    signers: Signers,
  ): Promise<VerifiedResponse> {
    const isExpected = await this.states.isUnderWay(connection, browserSecret);
    if (!isExpected && !connection.settings.allowIdpInitiated) {
      throw new SsoRefused(browserSecret === null ? 'browser' : 'in_response_to', { isStranger: true });
    }
    try {
      return verifiedResponse(response, signers);
    } catch (error) {
      if (!(error instanceof SsoRefused) || isExpected) throw error;
      throw new SsoRefused(error.reason, { isStranger: true });
    }
  }
}
