import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConsumes,
  ApiExtension,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { isJsonObject } from '../../../../libs/kernel/index.js';
import { Anonymous } from '../../../platform/auth/access.js';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { V2ErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { clientOf } from '../../../workspace/accounts/sessions/client.js';
import { setSessionCookie } from '../../../workspace/accounts/sessions/session-cookie.js';
import { samlAddresses } from '../connections/sso-addresses.js';
import { isSaml, type SsoConnection } from '../connections/sso-connection.entity.js';
import { spMetadataXml } from '../saml/sp-metadata.js';
import { safeNext } from '../shared/next-path.policy.js';
import { ssoMessages } from '../shared/sso-reasons.js';
import { browserSecret, giveBrowserSecret } from './browser-cookie.js';
import { failureAt, SsoFlowService, type SsoStep } from './sso-flow.service.js';
import { SamlResponseDto, SsoLookupAnswerDto, SsoLookupDto, SsoNextQuery, SsoStartQuery } from './sso.dto.js';
import { SsoLimitsService } from './sso-limits.service.js';
import type { SsoRequest } from './sso-sign-in.service.js';

const toProvider = {
  status: 303,
  description: 'To the identity provider, or to the sign-in page with `sso_error`.',
};
const toNext = {
  status: 303,
  description: 'To the requested path with the session cookie, or to the sign-in page with `sso_error`.',
};
const METADATA_TYPE = 'application/samlmetadata+xml';

function requestOf(request: ApiRequest): SsoRequest {
  return { requestId: request.id, client: clientOf(request) };
}

/** Returns a field of a posted form; null unless it was sent exactly once. */
function formField(body: unknown, name: string): string | null {
  const value = isJsonObject(body) && Object.hasOwn(body, name) ? body[name] : null;
  return typeof value === 'string' ? value : null;
}

@ApiTags('Single sign-on')
@Controller('sso')
export class SsoController {
  constructor(
    private readonly flow: SsoFlowService,
    private readonly limits: SsoLimitsService,
    private readonly config: Config,
  ) {}

  @Post('lookup')
  @HttpCode(200)
  @Anonymous()
  @ApiExtension('x-enterprise', 'sso')
  @ApiOperation({
    operationId: 'lookUpSso',
    summary: 'Look up the sign-in method of an email',
    description:
      'Whether an organization has verified the domain of the address and connected its identity provider. Does not reveal whether an account exists.',
  })
  @ApiOkResponse({ type: SsoLookupAnswerDto })
  @ApiPayloadTooLargeResponse({ type: V2ErrorDto })
  @ApiBadRequestResponse({ type: V2ErrorDto })
  @ApiTooManyRequestsResponse({ type: V2ErrorDto, description: 'More than 30 a minute from one address.' })
  async lookUp(
    @Req() request: ApiRequest,
    @Body() { email, next }: SsoLookupDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SsoLookupAnswerDto> {
    response.setHeader('Cache-Control', 'no-store');
    await this.limits.countLookup(request.ip);
    if (!(await this.flow.connectionFor(email))) return { sso: false, url: null };
    const path = safeNext(next);
    const goOn = path === '/' ? '' : `&next=${encodeURIComponent(path)}`;
    return { sso: true, url: `/sso/start?email=${encodeURIComponent(email)}${goOn}` };
  }

  @Get('start')
  @Anonymous()
  @ApiExtension('x-enterprise', 'sso')
  @ApiOperation({
    operationId: 'startSso',
    summary: 'Sign in by email address',
    description: "Redirects to the identity provider of the address's domain. For browsers.",
  })
  @ApiResponse(toProvider)
  @ApiBadRequestResponse({ type: V2ErrorDto })
  async start(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Query() { email, next }: SsoStartQuery,
  ): Promise<void> {
    await this.begin(request, response, next, () => this.flow.connectionFor(email ?? ''));
  }

  @Get('connections/:connection_id/start')
  @Anonymous()
  @ApiExtension('x-enterprise', 'sso')
  @ApiOperation({
    operationId: 'startSsoConnection',
    summary: 'Sign in by connection',
    description:
      'Redirects to the identity provider of a connection, regardless of the domain. For browsers.',
  })
  @ApiResponse(toProvider)
  @ApiBadRequestResponse({ type: V2ErrorDto })
  async startConnection(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('connection_id') id: string,
    @Query() { next }: SsoNextQuery,
  ): Promise<void> {
    await this.begin(request, response, next, () => this.flow.find(id));
  }

  @Get('saml/:connection_id/metadata')
  @Anonymous()
  @ApiExtension('x-enterprise', 'sso')
  @ApiOperation({
    operationId: 'getSamlMetadata',
    summary: 'Get the SAML metadata of this server',
    description: 'For the identity provider of a SAML connection, also before the connection is enabled.',
  })
  @ApiOkResponse({ content: { [METADATA_TYPE]: { schema: { type: 'string' } } } })
  @ApiNotFoundResponse({ type: V2ErrorDto })
  async metadata(@Res() response: Response, @Param('connection_id') id: string): Promise<void> {
    const connection = await this.flow.find(id);
    if (!connection || !isSaml(connection)) {
      throw new ApiError('missing', `There is no SAML connection ${JSON.stringify(id)}.`);
    }
    response.setHeader('Cache-Control', 'no-store');
    response.type(METADATA_TYPE).send(spMetadataXml(samlAddresses(this.config.baseUrl, id)));
  }

  @Post('saml/:connection_id/acs')
  @Anonymous()
  @ApiExtension('x-enterprise', 'sso')
  @ApiOperation({
    operationId: 'finishSamlSignIn',
    summary: 'Receive a SAML response',
    description:
      'Assertion consumer service: checks the response and sets the session cookie. A refusal is recorded in the audit log of the organization, with its reason.',
  })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: SamlResponseDto })
  @ApiResponse(toNext)
  @ApiPayloadTooLargeResponse({ type: V2ErrorDto })
  async finishSaml(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('connection_id') id: string,
    @Body() body: unknown,
  ): Promise<void> {
    const answer = {
      response: formField(body, 'SAMLResponse') ?? '',
      relayState: formField(body, 'RelayState'),
      browserSecret: browserSecret(request),
    };
    await this.finish(request, response, () => this.flow.finishSaml(id, answer, requestOf(request)));
  }

  @Get('oidc/:connection_id/callback')
  @Anonymous()
  @ApiExtension('x-enterprise', 'sso')
  @ApiOperation({
    operationId: 'finishOidcSignIn',
    summary: 'Receive an OpenID Connect answer',
    description:
      'Redirect URI: redeems the code, checks the ID token and sets the session cookie. A refusal is recorded in the audit log of the organization, with its reason.',
  })
  @ApiResponse(toNext)
  async finishOidc(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @Param('connection_id') id: string,
  ): Promise<void> {
    const mark = request.originalUrl.indexOf('?');
    const query = mark === -1 ? '' : request.originalUrl.slice(mark + 1);
    const answer = { query, browserSecret: browserSecret(request) };
    await this.finish(request, response, () => this.flow.finishOidc(id, answer, requestOf(request)));
  }

  private async begin(
    request: ApiRequest,
    response: Response,
    next: string | null,
    find: () => Promise<SsoConnection | null>,
  ): Promise<void> {
    const step = await withinLimit(this.limits.countStart(request.ip), async () => {
      const connection = await find();
      const secret = giveBrowserSecret(request, response, this.config);
      return this.flow.start(connection, safeNext(next), secret, requestOf(request));
    });
    go(response, step);
  }

  private async finish(request: ApiRequest, response: Response, work: () => Promise<SsoStep>): Promise<void> {
    const step = await withinLimit(this.limits.countAnswer(request.ip), work);
    if (step.sessionToken !== undefined) setSessionCookie(request, response, step.sessionToken, this.config);
    go(response, step);
  }
}

/** Shows the sign-in page instead of a JSON error. */
async function withinLimit(counted: Promise<void>, work: () => Promise<SsoStep>): Promise<SsoStep> {
  try {
    await counted;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'rate_limited') return failureAt(ssoMessages.too_many);
    throw error;
  }
  return work();
}

function go(response: Response, { location }: SsoStep): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.redirect(303, location);
}
