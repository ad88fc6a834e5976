import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const SERVER = process.env.RECORDAR_SERVER ?? "http://127.0.0.1:7343";

// The page is built into the server's crate and committed there, so that `cargo build` needs no Node. Names without a hash keep the list of its
// files fixed.
export default defineConfig({
  plugins: [svelte()],
  base: "./",
  resolve: { alias: { recordar: fileURLToPath(new URL("../clients/typescript/src/index.ts", import.meta.url)) } },
  server: { proxy: Object.fromEntries(["/v1", "/session", "/docs"].map((path) => [path, { target: SERVER, changeOrigin: false }])) },
  build: {
    target: "es2022",
    outDir: "../crates/recordar-server/page",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "assets/page.js", chunkFileNames: "assets/[name].js", assetFileNames: "assets/page[extname]" },
    },
  },
});
