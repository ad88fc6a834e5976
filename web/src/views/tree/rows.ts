// The category tree as rows: what is open, or what was searched for with all that leads to it.

import type { Schemas } from "../../lib/app.svelte";

export type Category = Schemas["CategoryView"];

export interface Row {
  category: Category;
  /** The names from the root to here. */
  path: string[];
  parent: number | undefined;
  isOpen: boolean;
  isLeaf: boolean;
  /** Its place among its siblings, from 1. */
  place: number;
  siblings: number;
  isMatch: boolean;
}

export function rowsOf(roots: readonly Category[], open: ReadonlySet<number>, sought: string): Row[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (category: Category) => words.length > 0 && words.every((word) => category.name.toLowerCase().includes(word));
  const rows: Row[] = [];

  /** Adds these and what is shown below them. */
  function add(categories: readonly Category[], path: string[], parent: number | undefined): void {
    const shown = words.length === 0 ? categories : categories.filter(leadsToMatch);
    shown.forEach((category, at) => {
      const children = category.children ?? [];
      const below = words.length === 0 ? children.length > 0 : children.some(leadsToMatch);
      const isOpen = below && (words.length > 0 || open.has(category.id));
      const here = [...path, category.name];
      rows.push({ category, path: here, parent, isOpen, isLeaf: !below, place: at + 1, siblings: shown.length, isMatch: isMatch(category) });
      if (isOpen) add(children, here, category.id);
    });
  }

  const known = new Map<number, boolean>();
  function leadsToMatch(category: Category): boolean {
    let leads = known.get(category.id);
    if (leads === undefined) {
      leads = isMatch(category) || (category.children ?? []).some(leadsToMatch);
      known.set(category.id, leads);
    }
    return leads;
  }

  add(roots, [], undefined);
  return rows;
}

/** All categories with their paths, parents before children. */
export function allOf(roots: readonly Category[]): Row[] {
  return rowsOf(roots, new Set(idsOf(roots)), "");
}

/** The ids of what is above a category, the nearest first. */
export function ancestorsOf(all: readonly Row[], id: number): number[] {
  const parents = new Map(all.map((row) => [row.category.id, row.parent]));
  const above: number[] = [];
  for (let parent = parents.get(id); parent !== undefined; parent = parents.get(parent)) above.push(parent);
  return above;
}

export function idsOf(categories: readonly Category[]): number[] {
  return categories.flatMap((category) => [category.id, ...idsOf(category.children ?? [])]);
}

export function pathText(path: readonly string[]): string {
  return path.join(" › ");
}
