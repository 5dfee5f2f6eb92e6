import { applyDecorators, Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConsumes,
  ApiForbiddenResponse,
  ApiFoundResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { DashboardFilesService } from '../../../dashboard/pages/dashboard-files.service.js';
import { Anonymous } from '../../../platform/auth/access.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { formTarget } from '../clients/redirect-uri.policy.js';
import { OauthForm } from '../oauth-form.js';
import { OauthIssuerService } from '../oauth-issuer.service.js';
import { AuthorizationFilter } from './authorization.filter.js';
import { ConsentDecisionDto } from './consent.dto.js';
import { ConsentFlowService } from './consent-flow.service.js';
import { OauthPagesService } from './oauth-pages.service.js';

const page = { 'text/html': { schema: { type: 'string' } } };

/** Required parameters have an example. */
const parameters: [name: string, description: string, example?: string][] = [
  ['response_type', '`code`.', 'code'],
  [
    'client_id',
    'The id from the registration, or the address of a metadata document.',
    'oac_mjvu2kq6r0a1b2c3d4e5f6g7',
  ],
  ['redirect_uri', 'One that the client registered.'],
  ['state', 'Returned unchanged.'],
  ['scope', '`project:read` (default), `project:write`, `project:money`, separated by spaces.'],
  ['code_challenge', 'PKCE: 43 characters, base64url.', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  ['code_challenge_method', '`S256`.', 'S256'],
  ['prompt', 'Ignored: the user is always asked.'],
  [
    'resource',
    'The resource that the token is for: this server (default), its `/mcp` or its `/v2` (RFC 8707).',
  ],
];

/** Browsers do not encode backslashes, and the sign-in page does not redirect to paths that contain one. */
const pathOf = ({ originalUrl }: ApiRequest): string => originalUrl.replaceAll('\\', '%5C');

function RequestParameters(): MethodDecorator {
  return applyDecorators(
    ...parameters.map(([name, description, example]) =>
      ApiQuery({ name, type: String, description, example, required: example !== undefined }),
    ),
  );
}

@ApiTags('OAuth')
@Controller('oauth/authorize')
@UseFilters(AuthorizationFilter)
export class AuthorizationController {
  constructor(
    private readonly flow: ConsentFlowService,
    private readonly pages: OauthPagesService,
    private readonly issuer: OauthIssuerService,
    private readonly files: DashboardFilesService,
  ) {}

  @Get()
  @Anonymous()
  @ApiOperation({
    operationId: 'askForConsent',
    summary: 'Ask a user for access',
    description:
      'Shows a page on which the signed-in user grants or refuses the client access to one project. Redirects to the sign-in page first if no user is signed in. An unknown client or redirect URI answers with an error page and status 400; other errors are returned to the client.',
  })
  @RequestParameters()
  @ApiOkResponse({ description: 'The consent page.', content: page })
  @ApiFoundResponse({ description: 'To the sign-in page, or to the client with `error`, `state` and `iss`.' })
  @ApiBadRequestResponse({
    description: 'An error page: the client or its redirect URI is unknown.',
    content: page,
  })
  @ApiForbiddenResponse({ description: 'An error page: this server has no sign-in page.', content: page })
  @ApiNotFoundResponse({
    description: 'An error page: clients do not reach this server by https.',
    content: page,
  })
  @ApiTooManyRequestsResponse({ description: 'A page.', content: page })
  async ask(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const issuer = this.issuer.forRequest(request);
    const asked = await this.flow.read(request, issuer);
    const session = await this.flow.sessionOf(request);
    if (session) {
      const body = await this.flow.page(session, asked);
      return this.pages.send(response, 200, {
        title: `Let ${asked.clientName} in?`,
        body,
        formTarget: formTarget(asked.redirectUri),
      });
    }
    if (this.files.areServed) {
      return response.redirect(302, `/login?next=${encodeURIComponent(pathOf(request))}`);
    }
    const message =
      'You are not signed in, and this server does not serve the dashboard, where people sign in.';
    this.pages.sendProblem(response, 403, 'Sign in first', message);
  }

  @Post()
  @Anonymous()
  @ApiOperation({
    operationId: 'decideConsent',
    summary: 'Grant or refuse access to a client',
    description:
      'Receives the form of the consent page. Redirects to the client with `code` or with `error=access_denied`, and always with `state` and `iss`.',
  })
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiBody({ type: ConsentDecisionDto })
  @ApiFoundResponse({ description: 'To the client.' })
  @ApiBadRequestResponse({ description: 'An error page: the choice is invalid.', content: page })
  @ApiForbiddenResponse({
    description: 'An error page: the form belongs to another session, or is older than 10 minutes.',
    content: page,
  })
  @ApiNotFoundResponse({
    description: 'An error page: clients do not reach this server by https.',
    content: page,
  })
  @ApiTooManyRequestsResponse({ description: 'A page.', content: page })
  async decide(@Req() request: ApiRequest, @Res() response: Response, @Body() body: unknown): Promise<void> {
    const issuer = this.issuer.forRequest(request);
    response.redirect(302, await this.flow.decide(request, OauthForm.parse(body), issuer));
  }
}
