import { Injectable } from '@nestjs/common';
import { OpenApiDocumentService } from '../../platform/api-docs/openapi-document.service.js';
import { RestOperations } from './rest-operations.js';
import { buildTool } from './tool-builder.js';
import type { Tool } from './tool.js';
import { toolDefinitions } from './tools/index.js';

/** The tools, in the order of the list. Built on first use, because most servers have no clients. */
@Injectable()
export class ToolCatalogService {
  private built?: ReadonlyMap<string, Tool>;

  constructor(private readonly document: OpenApiDocumentService) {}

  all(): Iterable<Tool> {
    return this.tools().values();
  }

  find(name: unknown): Tool | undefined {
    return typeof name === 'string' ? this.tools().get(name) : undefined;
  }

  private tools(): ReadonlyMap<string, Tool> {
    if (this.built) return this.built;
    const rest = new RestOperations(this.document.get());
    this.built = new Map(toolDefinitions.map((definition) => [definition.name, buildTool(definition, rest)]));
    return this.built;
  }
}
