import { Injectable } from '@nestjs/common';
import type {
  CallToolRequest,
  CallToolResult,
  ListToolsResult,
  McpHttpHandler,
  McpRequestContext,
  Server,
} from '@modelcontextprotocol/server';
import type * as sdkTypes from '@modelcontextprotocol/server';
import { VERSION } from '../../platform/config/version.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { LogService } from '../../platform/observability/log.service.js';
import type { AgentPrincipal } from './agent-principal.js';
import { instructions } from './mcp-instructions.js';
import { isOffered } from './tool-access.policy.js';
import { ToolCallsService } from './tool-calls.service.js';
import { ToolCatalogService } from './tool-catalog.service.js';

/** Types only, because the package is loaded lazily. */
type Sdk = typeof sdkTypes;

/** Tools change only with the server's version; a role change affects what a credential can list. */
const LIST_TTL_MS = 300_000;

export interface McpCaller {
  request: ApiRequest;
  principal: AgentPrincipal;
}

interface Loaded {
  sdk: Sdk;
  handler: McpHttpHandler;
}

/**
 * The Model Context Protocol, implemented with its official package: revision 2026-07-28 and earlier ones, without
 * sessions. The package is loaded on the first request, because most servers never get one.
 */
@Injectable()
export class McpProtocolService {
  private loading?: Promise<Loaded>;

  constructor(
    private readonly tools: ToolCatalogService,
    private readonly calls: ToolCallsService,
    private readonly log: LogService,
  ) {}

  /** Answers one message. `signal` cancels it. */
  async answer(caller: McpCaller, signal: AbortSignal): Promise<Response> {
    const { handler } = await this.load();
    const { request } = caller;
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      // The package must not see our credentials.
      if (name !== 'authorization' && name !== 'cookie' && typeof value === 'string')
        headers.set(name, value);
    }
    // The package rejects clients that accept only one type; the controller converts the response for each client.
    headers.set('accept', 'application/json, text/event-stream');
    const url = `${request.protocol}://${request.host ?? 'localhost'}/mcp`;
    const message = new Request(url, { method: 'POST', headers, signal });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } };
    return handler.fetch(message, { authInfo, parsedBody: request.body as unknown });
  }

  private load(): Promise<Loaded> {
    this.loading ??= import('@modelcontextprotocol/server').then((sdk) => ({
      sdk,
      handler: sdk.createMcpHandler((context) => this.serverFor(sdk, context), {
        // Subscriptions are rejected earlier, because tools never change.
        maxSubscriptions: 1,
        // A response is a single event.
        keepAliveMs: 0,
        onerror: (error) => this.log.debug({ err: error }, 'an MCP request was refused'),
      }),
    }));
    return this.loading;
  }

  /** Creates a server per request, so that nothing leaks between callers. */
  private serverFor(sdk: Sdk, { authInfo }: McpRequestContext): Server {
    const { caller } = (authInfo?.extra ?? {}) as { caller?: McpCaller };
    if (!caller) throw new Error('the request has no caller');
    const server = new sdk.Server(
      { name: 'tenure', title: 'Tenure', version: VERSION },
      {
        capabilities: { tools: { listChanged: false } },
        instructions,
        cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
      },
    );
    server.setRequestHandler('tools/list', () => this.list(caller));
    server.setRequestHandler('tools/call', ({ params }) => this.call(sdk, caller, params));
    return server;
  }

  private list({ principal }: McpCaller): ListToolsResult {
    const offered = [...this.tools.all()].filter((tool) => isOffered(tool, principal));
    return { tools: offered.map(({ listed }) => listed as ListToolsResult['tools'][number]) };
  }

  private async call(
    { ProtocolError, ProtocolErrorCode }: Sdk,
    caller: McpCaller,
    { name, arguments: args = {} }: CallToolRequest['params'],
  ): Promise<CallToolResult> {
    const tool = this.tools.find(name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return this.calls.call({ ...caller, tool, args });
  }
}
