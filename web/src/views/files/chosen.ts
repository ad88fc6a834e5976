// The files that someone chose or dropped, with those in folders.

import type { UploadFile } from "recordar";

export interface Chosen {
  files: UploadFile[];
  /** Hidden files and installed packages, which nobody means to add. */
  leftOut: number;
}

export function chosenBy(input: HTMLInputElement): Chosen {
  return withoutHidden([...(input.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, data: file })));
}

export async function droppedIn(transfer: DataTransfer): Promise<Chosen> {
  // The items are only there until the first wait.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return withoutHidden([...transfer.files].map((file) => ({ name: file.name, data: file })));
  const files: UploadFile[] = [];
  for (const entry of entries) await collect(entry, files);
  return withoutHidden(files);
}

async function collect(entry: FileSystemEntry, into: UploadFile[]): Promise<void> {
  if (isHidden(entry.name)) {
    into.push({ name: entry.name, data: "" });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    for (;;) {
      // A folder is read in parts; the last is empty.
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) return;
      for (const inside of part) await collect(inside, into);
    }
  } else {
    const data = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    into.push({ name: entry.fullPath.replace(/^\//, ""), data });
  }
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isHidden(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

function withoutHidden(all: UploadFile[]): Chosen {
  const files = all.filter((file) => !file.name.split("/").some(isHidden));
  return { files, leftOut: all.length - files.length };
}
