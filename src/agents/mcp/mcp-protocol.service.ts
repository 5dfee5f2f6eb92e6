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
import type { ApiRequest } from '../../platform/http/request.js';
import { LogService } from '../../platform/observability/log.service.js';
import type { AgentPrincipal } from './agent-principal.js';
import { instructions } from './mcp-instructions.js';
import { isOffered } from './tool-access.policy.js';
import { ToolCatalogService } from './tool-catalog.service.js';
import { ToolResultsService } from './tool-results.service.js';

/** Types only: the package itself is loaded late. */
type Sdk = typeof sdkTypes;

/** Tools change only with the version of the server; roles change what a credential sees. */
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
 * The Model Context Protocol, by its official package: both the revision 2026-07-28 and those before, without sessions. The
 * package is loaded at the first request, because most servers never get one.
 */
@Injectable()
export class McpProtocolService {
  private loading?: Promise<Loaded>;

  constructor(
    private readonly tools: ToolCatalogService,
    private readonly results: ToolResultsService,
    private readonly log: LogService,
  ) {}

  /** Answers one message; `signal` cancels it. */
  async answer(caller: McpCaller, signal: AbortSignal): Promise<Response> {
    const { handler } = await this.load();
    const { request } = caller;
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      // The package knows nothing of our credentials.
      if (name !== 'authorization' && name !== 'cookie' && typeof value === 'string')
        headers.set(name, value);
    }
    // The package refuses clients that name only one; the controller answers each in its form.
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
        // Refused before: tools never change.
        maxSubscriptions: 1,
        // An answer is one event.
        keepAliveMs: 0,
        onerror: (error) => this.log.debug({ err: error }, 'an MCP request was refused'),
      }),
    }));
    return this.loading;
  }

  /** One for each request, so that nothing of one caller can reach another. */
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
    return this.results.of({ ...caller, tool, args });
  }
}
