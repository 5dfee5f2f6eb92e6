/** Strings of JSON trees. */
export const jsonText = {
  showMore: (count: number) => `Show ${count.toLocaleString('en')} more`,
  items: (count: number) => (count === 1 ? '1 item' : `${count} items`),
  keys: (count: number) => (count === 1 ? '1 key' : `${count} keys`),
  viewAs: 'View as',
  tree: 'Tree',
  rawText: 'Text',
};
