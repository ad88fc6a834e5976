// The views, in the order of the menu.

import type { Component } from "svelte";
import Ask from "./Ask.svelte";
import Compose from "./Compose.svelte";
import Conversations from "./Conversations.svelte";
import Facts from "./Facts.svelte";
import Files from "./Files.svelte";
import Receipts from "./Receipts.svelte";
import Rules from "./Rules.svelte";
import System from "./System.svelte";
import Tree from "./Tree.svelte";
import Vocabulary from "./Vocabulary.svelte";

interface View {
  name: string;
  title: string;
  /** The letter that leads to it, after `g`. */
  key: string;
  component: Component;
}

export const VIEWS: readonly View[] = [
  { name: "ask", title: "Ask", key: "q", component: Ask },
  { name: "compose", title: "Compose", key: "c", component: Compose },
  { name: "files", title: "Files", key: "f", component: Files },
  { name: "conversations", title: "Conversations", key: "m", component: Conversations },
  { name: "facts", title: "Facts", key: "a", component: Facts },
  { name: "tree", title: "Categories", key: "t", component: Tree },
  { name: "receipts", title: "Receipts", key: "p", component: Receipts },
  { name: "rules", title: "Rules and memory", key: "u", component: Rules },
  { name: "vocabulary", title: "Vocabulary", key: "v", component: Vocabulary },
  { name: "system", title: "System", key: "s", component: System },
];
