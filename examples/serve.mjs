// Bundles the examples and serves them beside the API of a running server, so that the session cookie works.
//   node serve.mjs [PORT] with PLAN_ADVISOR=http://127.0.0.1:3000
import { build } from "esbuild";
import { createServer, request } from "node:http";

const target = new URL(process.env.PLAN_ADVISOR ?? "http://127.0.0.1:3000");
const port = Number(process.argv[2] ?? 5173);
const page = (name) => `<!doctype html><meta charset=utf-8><title>${name}</title><div id=root></div><script type=module src=/${name}.js></script>`;
const { outputFiles } = await build({
  entryPoints: { "use-chat": "use-chat/page.jsx", "ag-ui": "ag-ui/page.js" },
  absWorkingDir: import.meta.dirname, bundle: true, format: "esm", jsx: "automatic", outdir: "/", write: false,
});

createServer((asked, answer) => {
  const bundle = outputFiles.find((file) => file.path.endsWith(asked.url));
  const name = /^\/(use-chat|ag-ui)\//.exec(asked.url)?.[1];
  if (bundle) return answer.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(bundle.text);
  if (name) return answer.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page(name));
  const { hostname, port } = target;
  const passed = request({ hostname, port, method: asked.method, path: asked.url, headers: asked.headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  passed.on("error", () => answer.writeHead(502).end());
  answer.on("close", () => passed.destroy());
  asked.pipe(passed);
}).listen(port, "127.0.0.1", function () {
  console.log(`http://127.0.0.1:${this.address().port}/use-chat/ and /ag-ui/ over ${target.origin}`);
});
