import { RecordarError } from "recordar";

/** Whether an error has this code. */
export const code = (expected: string) => (error: unknown) => error instanceof RecordarError && error.code === expected;
