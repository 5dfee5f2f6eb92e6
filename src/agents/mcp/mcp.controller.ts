import { All, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { AgentAccess, Anonymous } from '../../platform/auth/access.js';
import { bearerChallenge } from '../../platform/auth/bearer-challenge.js';
import { Config } from '../../platform/config/config.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { AgentPrincipal } from './agent-principal.js';
import {
  calledTool,
  errorText,
  idOf,
  INVALID_REQUEST,
  isNotification,
  METHOD_NOT_FOUND,
  REFUSED,
  type Refusal,
} from './json-rpc.js';
import { type AnswerForm, answerForm, inForm } from './mcp-accept.policy.js';
import { McpGuard } from './mcp.guard.js';
import { McpProtocolService } from './mcp-protocol.service.js';
import { type AccessProblem, accessProblem } from './tool-access.policy.js';
import { ToolCatalogService } from './tool-catalog.service.js';

/** JSON-RPC, which OpenAPI cannot describe. See docs/mcp.md. */
@ApiExcludeController()
@Controller('mcp')
@UseGuards(McpGuard)
export class McpController {
  constructor(
    private readonly tools: ToolCatalogService,
    private readonly protocol: McpProtocolService,
    private readonly config: Config,
  ) {}

  @Post()
  @AgentAccess()
  async post(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const principal = request.principal as AgentPrincipal;
    const form = answerForm(request.headers.accept);
    const refusal = this.refusalOf(request, principal, form);
    if (refusal) {
      response
        .status(refusal.status)
        .set(refusal.headers ?? {})
        .type('application/json');
      response.end(errorText(refusal, idOf(request.body)));
      return;
    }
    const gone = new AbortController();
    response.on('close', () => response.writableFinished || gone.abort());
    try {
      const answer = await this.protocol.answer({ request, principal }, gone.signal);
      const text = await answer.text();
      answer.headers.forEach((value, name) => response.setHeader(name, value));
      const { type, body } = inForm(form ?? 'protocol', answer.headers.get('content-type') ?? '', text);
      if (type !== '') response.setHeader('content-type', type);
      response.status(answer.status).end(body);
    } catch (error) {
      // The client has disconnected. Committed changes remain.
      if (!gone.signal.aborted) throw error;
    }
  }

  /** This endpoint has neither streams nor sessions. */
  @All()
  @Anonymous()
  other(@Req() request: ApiRequest, @Res() response: Response): void {
    if (request.method === 'OPTIONS') return void response.status(204).end();
    response.setHeader('Allow', 'POST');
    throw new ApiError('method_not_allowed', `${request.method} is not allowed here; use POST.`);
  }

  /**
   * Rejects requests before the protocol code, which would run batches, keep streams open, and start forbidden tools.
   */
  private refusalOf(request: ApiRequest, principal: AgentPrincipal, form: AnswerForm | null): Refusal | null {
    const message: unknown = request.body;
    if (Array.isArray(message)) {
      return {
        status: 400,
        code: INVALID_REQUEST,
        message: 'Batches are not supported. Send one message a request.',
      };
    }
    if (form === null && !isNotification(message)) {
      return {
        status: 406,
        code: REFUSED,
        message: 'Not acceptable: the answer is application/json or text/event-stream.',
      };
    }
    if ((message as { method?: unknown } | null)?.method === 'subscriptions/listen') {
      return { status: 404, code: METHOD_NOT_FOUND, message: 'Method not found: tools never change.' };
    }
    const tool = this.tools.find(calledTool(message));
    if (!tool) return null;
    request.tool = tool.definition.name;
    const problem = accessProblem(tool, principal);
    return problem && this.forbidden(request, principal, problem);
  }

  /** The challenge names a scope, so that clients ask for it and retry the call. */
  private forbidden(
    request: ApiRequest,
    { kind }: AgentPrincipal,
    { message, scope }: AccessProblem,
  ): Refusal {
    const refusal = { status: 403, code: REFUSED, message };
    // A key cannot get more scopes. Role names may contain characters that are invalid in headers.
    if (kind === 'secret_key')
      return { ...refusal, headers: { 'WWW-Authenticate': `Bearer error_description="${message}"` } };
    if (scope === null) return refusal;
    const challenge = bearerChallenge(request, this.config, { error: 'insufficient_scope', scope });
    return { ...refusal, headers: { 'WWW-Authenticate': challenge } };
  }
}
