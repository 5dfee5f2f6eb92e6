export const text = {
  permissions: 'Permissions',
  all: 'Everything',
  readOnly: 'Read only',
  nothing: 'Nothing',
  levels: { none: 'No access', read: 'Read', read_write: 'Read and write' },
};
