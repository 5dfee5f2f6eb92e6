import type { OauthScope } from '../../platform/principal/oauth-scopes.js';
import type { Permission } from '../../platform/principal/permissions.js';

/** JSON Schema, as in the OpenAPI document. */
export type Schema = Record<string, unknown>;

/** Additional formats that a string argument accepts. */
export type ArgumentForm = 'time' | 'time_or_duration' | 'entitlement' | 'offering' | 'package' | 'product';

export interface ToolArgument {
  name: string;
  /** Parameter or field of the REST operation; nested fields use dots. Default: the name. */
  from?: string;
  /** Another operation than the first, for an argument of a tool with its own `run`. */
  of?: string;
  form?: ArgumentForm;
  /** Default: same as in REST. */
  required?: boolean;
  /** Default: the description in REST. */
  description?: string;
  /** Schema of an argument that differs from REST. */
  schema?: Schema;
}

export type ToolArguments = Record<string, unknown>;

/** Arguments and REST access of a tool that needs more than one call. */
export interface ToolRun {
  args: ToolArguments;
  /** Calls one of the tool's operations with arguments under their REST names. @throws RestError */
  call: (operation: string, values: ToolArguments) => Promise<Record<string, unknown>>;
}

/** `destructive`: data is lost or money is refunded. */
export type ToolEffect = 'read' | 'write' | 'destructive';

export interface ToolDefinition {
  name: string;
  title: string;
  /** Describes what it reads or changes, and what cannot be undone. */
  description: string;
  /**
   * Ids of the REST operations that it may call. The first describes the arguments. The tool needs the permissions of
   * all.
   */
  operations: [string, ...string[]];
  effect: ToolEffect;
  isIdempotent?: boolean;
  /** Whether it returns a document to be sent back, which has no secrets and is shown as it is. */
  isDocument?: boolean;
  /** Whether it calls a store. */
  reachesStore?: boolean;
  arguments: (string | ToolArgument)[];
  /** Default: one call of the first operation. */
  run?: (run: ToolRun) => Promise<Record<string, unknown>>;
}

/** Location of an argument in a REST request. */
export interface ArgumentPlace {
  in: 'path' | 'query' | 'body';
  /** One key, or the path of keys to a field of the body. */
  keys: string[];
}

export interface RestOperation {
  id: string;
  method: string;
  /** OpenAPI path: `/v2/projects/{project_id}/apps`. */
  path: string;
  permissions: Permission[];
  /** The scope that a client needs instead of those derived from the permissions. */
  scope?: OauthScope;
  placeOf: (name: string) => ArgumentPlace | null;
  /** Returns null for an unknown name. */
  schemaOf: (name: string) => { schema: Schema; required: boolean } | null;
}

/** A tool as listed to clients, with the data for calls. */
export interface Tool {
  definition: ToolDefinition;
  operations: ReadonlyMap<string, RestOperation>;
  permissions: readonly Permission[];
  /** Entry in the response to `tools/list`. */
  listed: {
    name: string;
    title: string;
    description: string;
    inputSchema: { type: 'object'; properties: Record<string, Schema>; required?: string[] } & Schema;
    annotations: Record<string, unknown>;
  };
}
