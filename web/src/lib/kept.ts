// Drafts: what someone has written or set up in a view is there when they come back, until the page is closed.

const drafts = new Map<string, unknown>();

/** The draft of this name, made when it is first needed. */
export function kept<T>(name: string, make: () => T): T {
  if (!drafts.has(name)) drafts.set(name, make());
  return drafts.get(name) as T;
}
