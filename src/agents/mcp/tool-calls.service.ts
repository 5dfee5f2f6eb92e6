import { Inject, Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { Config } from '../../platform/config/config.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { InProcessRequestsService } from '../../platform/http/pipeline/in-process-requests.service.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { causeOf, isError } from '../../platform/observability/logged-error.js';
import { LogService } from '../../platform/observability/log.service.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import type { AgentPrincipal } from './agent-principal.js';
import { areIds, idsOf, timeOf } from './argument-forms.js';
import { restAnswer, restRequest } from './rest-calls.js';
import { RestError, type ToolError } from './rest-error.js';
import { isMoneyTool } from './tool-access.policy.js';
import { assertValidArguments } from './tool-arguments.js';
import { argumentsOf } from './tool-builder.js';
import { fitted, itemsThatFit, shownAnswer } from './tool-result.policy.js';
import type { Tool, ToolArguments } from './tool.js';

/** A call of a tool that the caller may use. */
export interface ToolCall {
  tool: Tool;
  args: ToolArguments;
  principal: AgentPrincipal;
  request: ApiRequest;
}

type Json = Record<string, unknown>;

const MINUTE_MS = 60_000;
/** Fraction of a caller's limit for calls that may move money. */
const MONEY_PART = 6;

function success(answer: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
}

function failure(error: ToolError): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(error) }], isError: true };
}

function toolError({ type, message, details, retryable }: ApiError): ToolError {
  const { param, retryAfterS } = details;
  return {
    type,
    message,
    ...(param !== undefined && { param }),
    retryable,
    ...(retryable && retryAfterS !== undefined && { backoff_ms: retryAfterS * 1000 }),
  };
}

/** Returns `duration` for `subscription.duration`. */
function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/**
 * Runs tools as one or more REST calls with the caller's credential. Limits models that call tools in a loop, in addition
 * to the limits of REST.
 */
@Injectable()
export class ToolCallsService {
  private readonly calls: RateLimit;
  private readonly moneyCalls: RateLimit;

  constructor(
    private readonly rest: InProcessRequestsService,
    private readonly catalogs: CatalogService,
    private readonly limiter: RateLimiterService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
    { rateLimitMcp: max }: Config,
  ) {
    const minute = { windowMs: MINUTE_MS, aligned: true };
    this.calls = { ...minute, name: 'mcp', max };
    this.moneyCalls = { ...minute, name: 'mcp_money', max: Math.ceil(max / MONEY_PART) };
  }

  /** Returns the result of a call. Never throws, because the package would reveal any error's message. */
  async call(call: ToolCall): Promise<CallToolResult> {
    try {
      await this.countCall(call);
      await assertValidArguments(call.tool, call.args);
      return success(await this.run(call));
    } catch (error) {
      if (error instanceof RestError) return failure(error.error);
      if (error instanceof ApiError && error.kind !== 'internal') return failure(toolError(error));
      return failure(this.unexpected(call, error));
    }
  }

  /** @throws ApiError 429 */
  private async countCall({ tool, principal }: ToolCall): Promise<void> {
    const { calls, moneyCalls } = this;
    if (calls.max === 0) return;
    // A person who connects a client twice has two grants, each with its own limit.
    const caller = principal.kind === 'oauth_token' ? principal.grantId : principal.keyId;
    const limits = isMoneyTool(tool) ? [moneyCalls, calls] : [calls];
    for (const limit of limits) {
      const { allowed, resetsAt } = await this.limiter.hit(limit, principal.projectId, caller);
      if (allowed) continue;
      const what = limit === moneyCalls ? 'calls of tools that move money' : 'calls of tools';
      throw this.limiter.refusal(`More than ${limit.max} ${what} a minute.`, resetsAt);
    }
  }

  /** Returns the response for clients. @throws RestError, and any error for a failure of the server */
  private async run(call: ToolCall): Promise<Json> {
    const { project_id, idempotency_key, ...given } = call.args;
    this.assertOwnProject(project_id, call.principal);
    const args = await this.inRestForm(call, given);
    try {
      const answer = await this.shown(call, args, idempotency_key);
      const fits = itemsThatFit(answer);
      if (fits === null || fits === 0) return fitted(answer);
      // Repeats the call, because only the list itself knows where its next page starts.
      return fitted(await this.shown(call, { ...args, limit: fits }, idempotency_key));
    } catch (error) {
      throw error instanceof RestError ? this.underToolNames(error, call.tool) : error;
    }
  }

  private async shown(
    { tool, principal, request }: ToolCall,
    args: ToolArguments,
    key: unknown,
  ): Promise<Json> {
    const call = async (id: string, values: ToolArguments): Promise<Json> => {
      const operation = tool.operations.get(id);
      if (!operation) throw new Error(`${tool.definition.name} may not call ${id}.`);
      const inner = restRequest(operation, principal.projectId, values);
      if (typeof key === 'string' && operation.method === 'POST') inner.headers = { 'idempotency-key': key };
      return restAnswer(operation, await this.rest.send(request, tool.definition.name, inner));
    };
    const { run, operations, isDocument } = tool.definition;
    const shown = isDocument ? (answer: Json): Json => answer : shownAnswer;
    if (run) return shown(await run({ args, call }));
    const from = new Map(argumentsOf(tool.definition).map((argument) => [argument.name, argument.from]));
    const values = Object.entries(args).map(([name, value]) => [from.get(name) ?? name, value] as const);
    return shown(await call(operations[0], Object.fromEntries(values)));
  }

  private assertOwnProject(projectId: unknown, principal: AgentPrincipal): void {
    if (projectId === undefined || projectId === principal.projectId) return;
    const message = `The credential is for another project than ${JSON.stringify(projectId)}.`;
    throw new RestError({ type: 'resource_missing', message, param: 'project_id', retryable: false });
  }

  private async inRestForm({ tool, principal }: ToolCall, given: ToolArguments): Promise<ToolArguments> {
    const args = { ...given };
    for (const { name, form } of argumentsOf(tool.definition)) {
      const value = args[name];
      if (form === undefined || value === undefined || value === null) continue;
      if (form.startsWith('time')) args[name] = timeOf(name, value, form, this.clock.nowMs());
      else if (!areIds(value, form)) {
        args[name] = idsOf(name, value, form, await this.catalogs.getCurrent(principal.projectId));
      }
    }
    return args;
  }

  /** REST names its own field, which may have another name than the argument or be nested. */
  private underToolNames({ error }: RestError, tool: Tool): RestError {
    const { param } = error;
    if (param === undefined) return new RestError(error);
    const argument = argumentsOf(tool.definition).find(
      ({ name, from = name }) => lastOf(from) === lastOf(param),
    );
    if (!argument || argument.name === param) return new RestError(error);
    return new RestError({
      ...error,
      param: argument.name,
      message: error.message.replaceAll(param, argument.name),
    });
  }

  private unexpected({ tool, request }: ToolCall, error: unknown): ToolError {
    if (isError(error)) request.failureCause = causeOf(error);
    this.log.error({ err: error, request_id: request.id, tool: tool.definition.name }, 'tool failed');
    return {
      type: 'server_error',
      message: 'Something went wrong.',
      request_id: request.id,
      retryable: true,
    };
  }
}
