/** Names of languages as people write them after ``` , by the name of the file that knows how to colour them. */
const known = {
  bash: ['Bash', 'sh', 'shell', 'zsh', 'console', 'shellsession'],
  c: ['C', 'h'],
  cpp: ['C++', 'c++', 'cc', 'hpp', 'cxx'],
  csharp: ['C#', 'c#', 'cs'],
  css: ['CSS'],
  dart: ['Dart'],
  diff: ['Diff', 'patch'],
  dockerfile: ['Dockerfile', 'docker'],
  elixir: ['Elixir', 'ex', 'exs'],
  erlang: ['Erlang', 'erl'],
  go: ['Go', 'golang'],
  graphql: ['GraphQL', 'gql'],
  haskell: ['Haskell', 'hs'],
  http: ['HTTP'],
  ini: ['INI', 'toml', 'cfg', 'conf'],
  java: ['Java'],
  javascript: ['JavaScript', 'js', 'jsx', 'mjs', 'cjs'],
  json: ['JSON', 'jsonc', 'json5', 'jsonl'],
  julia: ['Julia', 'jl'],
  kotlin: ['Kotlin', 'kt', 'kts'],
  latex: ['LaTeX', 'tex'],
  less: ['Less'],
  lua: ['Lua'],
  makefile: ['Makefile', 'make', 'mk'],
  markdown: ['Markdown', 'md'],
  matlab: ['MATLAB'],
  nginx: ['nginx'],
  nix: ['Nix'],
  objectivec: ['Objective-C', 'objc', 'objective-c'],
  perl: ['Perl', 'pl'],
  php: ['PHP'],
  powershell: ['PowerShell', 'ps1', 'pwsh'],
  properties: ['Properties', 'env', 'dotenv'],
  protobuf: ['Protocol Buffers', 'proto'],
  python: ['Python', 'py', 'python3', 'gyp'],
  r: ['R'],
  ruby: ['Ruby', 'rb'],
  rust: ['Rust', 'rs'],
  scala: ['Scala'],
  scss: ['SCSS', 'sass'],
  sql: ['SQL', 'mysql', 'sqlite', 'plsql', 'tsql'],
  pgsql: ['PostgreSQL', 'postgres', 'postgresql'],
  swift: ['Swift'],
  typescript: ['TypeScript', 'ts', 'tsx', 'mts', 'cts'],
  vim: ['Vim script', 'viml'],
  wasm: ['WebAssembly', 'wat'],
  xml: ['HTML, XML', 'html', 'svg', 'xhtml', 'vue', 'rss', 'plist'],
  yaml: ['YAML', 'yml'],
}

/** Without colours of their own, but with a name that people know. */
const plain = { mermaid: 'Mermaid', text: 'Text', txt: 'Text', plaintext: 'Text', csv: 'CSV', math: 'Formula' }

const byWord = new Map(
  Object.entries(known).flatMap(([id, [name, ...others]]) => [id, ...others].map((word) => [word, { id, name }])),
)
/** HTML and XML are one file. */
for (const [word, name] of Object.entries({
  html: 'HTML',
  xml: 'XML',
  svg: 'SVG',
  toml: 'TOML',
  jsx: 'JSX',
  tsx: 'TSX',
})) {
  byWord.set(word, { id: byWord.get(word).id, name })
}

/** @returns {{ id?: string, name: string }} Without an id, the code isn't coloured. */
export function languageOf(word = '') {
  const lower = word.toLowerCase()
  return byWord.get(lower) ?? { name: (Object.hasOwn(plain, lower) && plain[lower]) || word.slice(0, 30) }
}
