export function runOn(server: string, commands: string[], name?: string): Promise<void>;
export function createOnNode(server: string, name: string): Promise<void>;
export function createOnNodes(servers: string[], name: string): Promise<void>;
export function cloneOnNodes(servers: string[], template: string, name: string): Promise<void>;
export function dropOnNodes(servers: string[], name: string): Promise<void>;
