/** Forms on the page with unsaved input, by id. Separate from the hook, whose router code the first load does not need. */
export const unsavedForms = new Set<string>();
