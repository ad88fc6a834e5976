// Files on their way to the server, in batches. It goes on while other views are open.

import { RecordarError, type Recordar, type UploadFile } from "recordar";
import { app, problemOf, type Problem, type Schemas } from "../../lib/app.svelte";
import type { Chosen } from "./chosen";

export interface Outcome {
  name: string;
  status: Schemas["FileReport"]["status"];
  /** Why it failed, or what to know about it. */
  reason: string;
}

const BATCH_FILES = 20;
const BATCH_BYTES = 32_000_000;

class Upload {
  total = $state(0);
  done = $state(0);
  message = $state("");
  outcomes = $state.raw<Outcome[]>([]);
  skipped = $state.raw<Schemas["Skipped"][]>([]);
  leftOut = $state(0);
  problem = $state<Problem>();
  isRunning = $state(false);
  wasCancelled = $state(false);
  space = $state("");
  #left: UploadFile[] = [];
  #tags: string[] = [];
  #memory: Recordar = app.memory;
  #stop = new AbortController();

  begin({ files, leftOut }: Chosen, tags: string[]): void {
    this.dismiss();
    this.#left = [...files];
    this.#tags = tags;
    // The space may be changed meanwhile; the files belong where they were dropped.
    this.#memory = app.memory;
    this.space = app.space;
    this.leftOut = leftOut;
    this.total = files.length;
    void this.resume();
  }

  /** Goes on with the files that are left. */
  async resume(): Promise<void> {
    this.#stop = new AbortController();
    this.isRunning = true;
    this.problem = undefined;
    this.done = this.total - this.#left.length;
    try {
      while (this.#left.length > 0) {
        const batch = nextBatch(this.#left);
        await this.#send(batch);
        this.#left = this.#left.slice(batch.length);
      }
    } catch (error) {
      if (this.#stop.signal.aborted) this.wasCancelled = true;
      else this.problem = problemOf(error);
    } finally {
      this.isRunning = false;
      app.changed();
    }
  }

  cancel(): void {
    this.#stop.abort();
  }

  dismiss(): void {
    this.total = this.done = this.leftOut = 0;
    this.outcomes = [];
    this.skipped = [];
    this.message = "";
    this.problem = undefined;
    this.wasCancelled = false;
  }

  async #send(files: UploadFile[]): Promise<void> {
    const before = this.done;
    const options = { files, signal: this.#stop.signal };
    try {
      for await (const event of this.#memory.stream("ingest", { tags: this.#tags }, options)) {
        if (event.type === "progress") {
          // After the files come the steps that place them in the tree.
          const isAboutFiles = event.message.endsWith("files");
          this.message = isAboutFiles ? "" : event.message;
          this.done = before + (isAboutFiles ? Math.min(event.done, files.length) : files.length);
        } else if (event.type === "result") {
          this.outcomes = [...this.outcomes, ...event.result.files.map(outcomeOf)];
          this.skipped = [...this.skipped, ...(event.result.skipped ?? [])];
          this.message = "";
        }
      }
    } catch (error) {
      if (!(error instanceof RecordarError) || error.status !== 413) throw error;
      // Too large together, or one that the server will never take: the others need not wait for it.
      this.done = before;
      if (files.length > 1) for (const file of files) await this.#send([file]);
      else this.outcomes = [...this.outcomes, { name: files[0]!.name, status: "failed", reason: `${error.message}; ${error.remedy}` }];
    }
    this.done = before + files.length;
  }
}

export const upload = new Upload();

export function outcomeOf(file: Schemas["FileReport"]): Outcome {
  const said = [file.error, ...file.warnings].filter((problem) => problem != null && !problem.remedy.startsWith("no action is needed"));
  return { name: file.path, status: file.status, reason: said.map((problem) => `${problem?.what}; ${problem?.remedy}`).join(" ") };
}

function nextBatch(files: UploadFile[]): UploadFile[] {
  let bytes = 0;
  const first = files.slice(0, BATCH_FILES);
  const end = first.findIndex(({ data }) => (bytes += data instanceof Blob ? data.size : data.length) > BATCH_BYTES);
  return end === -1 ? first : first.slice(0, Math.max(1, end));
}
