// What of the installed packages Bobbin never reads. tests/terminal/slim.test.ts loads everything it imports without it.

/** Source maps, type declarations, documents, sources in C and TypeScript. */
const kinds = /\.(map|d\.[cm]?ts|[cm]?ts|md|markdown|c|cc|cpp|h|hpp|gyp|flow|iife\.js)$/i

/** Further builds of packages: for browsers, for `require`, smaller ones. And what was meant for their authors. */
const builds = [
  /^@e965\/xlsx\/(bin|types|xlsx\.js$|dist\/(?!cpexcel\.full\.mjs$))/,
  /^@highlightjs\/cdn-assets\/(?!es\/|package\.json$)/,
  /^@mixmark-io\/domino\/(test|\.yarn)\//,
  /^better-sqlite3\/(deps|src)\//,
  /^docx\/dist\/.*\.cjs$/,
  /^exceljs\/dist\//,
  /^katex\/(src|contrib)\//,
  /^katex\/dist\/(contrib|fonts\/.*\.(ttf|woff)$|katex[^/]*\.(js|css)$)(?<!katex\.min\.css)/,
  /^linkedom\/worker\.js$/,
  /^mammoth\/mammoth\.browser/,
  /^openai\/src\//,
  /^pdf-lib\/(dist|es|ts3\.4|src)\//,
  /^pdfjs-dist\/(build|web|image_decoders|types|webpack\.mjs$)/,
  /^pdfjs-dist\/legacy\/(web|image_decoders|webpack\.mjs$|build\/pdf\.(sandbox|renderer))/,
  /^xml2js\/lib\/xml2js\.bc\.js$/,
]

const kept = /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i

/** A path below node_modules; a folder ends with a slash. */
export function isUnread(path, { platform, arch } = process) {
  if (kept.test(path)) return false
  // On Alpine another one is needed.
  const binary = /^better-sqlite3\/prebuilds\/(.+)\.node$/.exec(path)
  if (binary) return binary[1] !== `${platform}-${arch}` && binary[1] !== `${platform}musl-${arch}`
  const files = new RegExp(`^node/node_modules/node-${platform}-${arch}/(?!bin/|package\\.json$)`)
  return kinds.test(path) || files.test(path) || builds.some((build) => build.test(path))
}
