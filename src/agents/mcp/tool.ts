import type { OauthScope } from '../../platform/principal/oauth-scopes.js';
import type { Permission } from '../../platform/principal/permissions.js';

/** JSON Schema, as in the OpenAPI document. */
export type Schema = Record<string, unknown>;

/** What a text argument may hold besides what REST takes. */
export type ArgumentForm = 'time' | 'time_or_duration' | 'entitlement' | 'offering' | 'package' | 'product';

export interface ToolArgument {
  name: string;
  /** Parameter or field of the REST operation, fields of fields with dots. Default: the name. */
  from?: string;
  /** For an argument of a tool with a `run` of its own: an operation besides the first. */
  of?: string;
  form?: ArgumentForm;
  /** Default: as in REST. */
  required?: boolean;
  /** Default: that of REST. */
  description?: string;
  /** For an argument that REST does not have in this form. */
  schema?: Schema;
}

export type ToolArguments = Record<string, unknown>;

/** How a tool that is more than one call reaches REST. */
export interface ToolRun {
  args: ToolArguments;
  /** Calls one of the tool's operations with arguments under their REST names. @throws RestError */
  call: (operation: string, values: ToolArguments) => Promise<Record<string, unknown>>;
}

/** `destructive`: something is lost or paid back. */
export type ToolEffect = 'read' | 'write' | 'destructive';

export interface ToolDefinition {
  name: string;
  title: string;
  /** What it shows or changes, and what cannot be undone. */
  description: string;
  /** Ids of the REST operations that it may call; the first describes the arguments. Their permissions are the tool's. */
  operations: [string, ...string[]];
  effect: ToolEffect;
  isIdempotent?: boolean;
  /** Calls a store. */
  reachesStore?: boolean;
  arguments: (string | ToolArgument)[];
  /** Default: one call of the first operation. */
  run?: (run: ToolRun) => Promise<Record<string, unknown>>;
}

/** Where REST takes an argument. */
export interface ArgumentPlace {
  in: 'path' | 'query' | 'body';
  /** One key, or in a body the keys down to the field. */
  keys: string[];
}

export interface RestOperation {
  id: string;
  method: string;
  /** In the notation of OpenAPI: `/v2/projects/{project_id}/apps`. */
  path: string;
  permissions: Permission[];
  /** What a client needs instead of the scopes that add the permissions. */
  scope?: OauthScope;
  placeOf: (name: string) => ArgumentPlace | null;
  /** Null for a name it does not take. */
  schemaOf: (name: string) => { schema: Schema; required: boolean } | null;
}

/** A tool as clients see it, and what a call needs. */
export interface Tool {
  definition: ToolDefinition;
  operations: ReadonlyMap<string, RestOperation>;
  permissions: readonly Permission[];
  /** As in the answer to `tools/list`. */
  listed: {
    name: string;
    title: string;
    description: string;
    inputSchema: { type: 'object'; properties: Record<string, Schema>; required?: string[] } & Schema;
    annotations: Record<string, unknown>;
  };
}
