declare module 'virtual:permissions' {
  /** Permissions to the operations that take them, names apart by spaces; `admin` where the built-in role of that name is needed. */
  const operations: Record<string, string>;
  export default operations;
}

declare module 'virtual:operations' {
  /** `METHOD /path` to the operation's id and its tag in the documentation. */
  const operations: Record<string, [id: string, tag: string]>;
  export default operations;
}

declare module 'virtual:audit-actions' {
  /** Actions in the audit log of a project. */
  const actions: string[];
  export default actions;
}

declare module 'virtual:organization-audit-actions' {
  /** Actions in the audit log of an organization. */
  const actions: string[];
  export default actions;
}

declare module 'virtual:stock-renderer' {
  /** Address of the stock web SDK's bundle. */
  const address: string;
  export default address;
}
