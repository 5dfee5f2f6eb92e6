import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { causeOf, isError } from '../../platform/observability/logged-error.js';
import { LogService } from '../../platform/observability/log.service.js';
import { McpRateLimitsService } from './mcp-rate-limits.service.js';
import { RestError, type ToolError } from './rest-error.js';
import { ToolArgumentsService } from './tool-arguments.service.js';
import { type ToolCall, ToolCallsService } from './tool-calls.service.js';

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

/** Builds the results of calls. Never throws, because the package would reveal any error's message. */
@Injectable()
export class ToolResultsService {
  constructor(
    private readonly limits: McpRateLimitsService,
    private readonly args: ToolArgumentsService,
    private readonly calls: ToolCallsService,
    private readonly log: LogService,
  ) {}

  async of(call: ToolCall): Promise<CallToolResult> {
    try {
      await this.limits.count(call.tool, call.principal);
      await this.args.assertValid(call.tool, call.args);
      return success(await this.calls.run(call));
    } catch (error) {
      if (error instanceof RestError) return failure(error.error);
      if (error instanceof ApiError && error.kind !== 'internal') return failure(toolError(error));
      return failure(this.unexpected(call, error));
    }
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
