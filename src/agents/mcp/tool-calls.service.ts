import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { InProcessRequestsService } from '../../platform/http/pipeline/in-process-requests.service.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { AgentPrincipal } from './agent-principal.js';
import { areIds, idsOf, timeOf } from './argument-forms.js';
import { restAnswer, restRequest } from './rest-calls.js';
import { RestError } from './rest-error.js';
import { argumentsOf } from './tool-builder.js';
import { fitted, itemsThatFit, shownAnswer } from './tool-result.policy.js';
import type { Tool, ToolArguments } from './tool.js';

/** A call of a tool with validated arguments. */
export interface ToolCall {
  tool: Tool;
  args: ToolArguments;
  principal: AgentPrincipal;
  request: ApiRequest;
}

type Json = Record<string, unknown>;

/** Returns `duration` for `subscription.duration`. */
function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Runs tools as one or more REST calls with the caller's credential. */
@Injectable()
export class ToolCallsService {
  constructor(
    private readonly rest: InProcessRequestsService,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the response for clients. @throws RestError, and any error for a failure of the server */
  async run(call: ToolCall): Promise<Json> {
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
    const { run, operations } = tool.definition;
    if (run) return shownAnswer(await run({ args, call }));
    const from = new Map(argumentsOf(tool.definition).map((argument) => [argument.name, argument.from]));
    const values = Object.entries(args).map(([name, value]) => [from.get(name) ?? name, value] as const);
    return shownAnswer(await call(operations[0], Object.fromEntries(values)));
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
}
