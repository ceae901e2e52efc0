// Builds the console into python/sengoku/console: index.html, and assets whose names contain their hash, each also
// compressed. `--watch` builds again at every change.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { build, context } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = join(HERE, "..", "python", "sengoku", "console");

/** What runs once esbuild has written its files: the page that refers to them, and the compressed copies. */
const finish = {
  name: "finish",
  setup(builder) {
    builder.onStart(() => rm(OUT, { recursive: true, force: true }));
    builder.onEnd(async (result) => {
      if (result.errors.length > 0) return;
      const outputs = Object.entries(result.metafile.outputs);
      // Pages that are loaded later are entries, too; the document names only these two.
      const named = (entry) => {
        const [file] = outputs.find(([, output]) => output.entryPoint === entry) ?? [];
        if (!file) throw new Error(`the build wrote nothing for ${entry}`);
        return `/${relative(OUT, join(HERE, file))}`;
      };
      const page = await readFile(join(HERE, "src", "index.html"), "utf8");
      await writeFile(
        join(OUT, "index.html"),
        page.replace("STYLE", named("src/style.css")).replace("SCRIPT", named("src/main.tsx")),
      );
      await writeFile(join(OUT, "icon.svg"), await readFile(join(HERE, "src", "icon.svg")));
      for (const name of await readdir(OUT, { recursive: true })) {
        if (!/\.(js|css|html|svg)$/.test(name)) continue;
        const packed = gzipSync(await readFile(join(OUT, name)), { level: constants.Z_BEST_COMPRESSION });
        await writeFile(join(OUT, `${name}.gz`), packed);
      }
    });
  },
};

const options = {
  absWorkingDir: HERE,
  entryPoints: ["src/main.tsx", "src/style.css"],
  outdir: OUT,
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
  assetNames: "assets/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  metafile: true,
  legalComments: "none",
  loader: { ".md": "text" },
  logLevel: "warning",
  plugins: [finish],
};

await mkdir(OUT, { recursive: true });
if (process.argv.includes("--watch")) {
  await (await context({ ...options, minify: false, logLevel: "info" })).watch();
} else {
  await build(options);
}
